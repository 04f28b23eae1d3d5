/** Another thing. */
declare class Other {}
declare namespace Other { type Inner = 1 }
export = Other;
