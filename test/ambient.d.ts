/// <reference path="../electron/wat.d.ts" />
/// <reference path="../electron/text.d.ts" />
