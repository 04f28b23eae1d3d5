import Other = require('./other');
/** Make an app. */
declare function app(): app.App;
declare namespace app {
    /** An app. */
    interface App { listen(): void }
    namespace deep.er { const x: number }
    export { Other as Another };
    export { app as default, App };
}
declare namespace app {
    /** Merged into the first. */
    type Late = string;
}
declare global {
    interface Window { app: app.App }
}
export = app;
export as namespace App;
