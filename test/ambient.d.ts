/// <reference path="../electron/wat.d.ts" />
