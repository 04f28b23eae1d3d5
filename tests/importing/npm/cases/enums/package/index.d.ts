/** A color. */
export enum Color {
  /** Like fire. */
  Red = "red",
  Green = 'green',
  /**
   * Like the sea.
   * @deprecated use `Green`
   */
  "sea-blue" = 5,
  /** @internal */
  Hidden = 9,
  Mask = 1 << 3,
}

/** The code says all: no list. */
export declare enum Plain { A = 1, B = 2 }

/** In a declaration file the value of B is not known. */
export declare enum Open { A = 1, B }

/** Counts on. */
export declare const enum Level { Low, High, /** Ten. */ Ten = 0xA, Eleven, Name = "n" }

declare const enum Inner { X, Y }
export { Inner as Renamed };

declare enum Split { One = 0 }
/** Merged. */
declare enum Split { Two = 1 }
export { Split };

export declare namespace Deep {
  /** In a namespace, see {@link Color.Red}. */
  enum Way { /** Up. */ Up = 1 }
}

declare enum Def { Z = -1 }
export default Def;

declare enum NotExported { A }
