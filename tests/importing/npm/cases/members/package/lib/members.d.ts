/** A pool of things. */
export declare abstract class Pool<T> extends Base implements Iterable<T> {
    #secret;
    private hidden: string;
    protected kept: T[];
    /**
     * Make a pool.
     * @param size of the pool
     */
    constructor(size: number);
    /** How many there are. */
    readonly size: number;
    /** Get one. */
    get(): T;
    /** Get one of a name. */
    get(name: string): T;
    plain(): void;
    /** @internal */
    raw(): void;
    static [Symbol.iterator](): Iterator<unknown>;
}

/** What to do. */
export declare const enum Mode {
    /** Fast, but wrong. */
    Fast = 1,
    Slow
}

export interface Call {
    /** Call it. */
    (x: string): number;
    /** Make it. */
    new (x: string): Call;
    /** Called on an end. */
    onEnd?: (reason: string) => void;
    [key: string]: unknown;
}
/** Both a value and a type. */
export declare const Call: Call;
