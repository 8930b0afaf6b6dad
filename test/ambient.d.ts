/// <reference path="../electron/modules.d.ts" />
