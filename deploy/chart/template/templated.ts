export type Scalar = string | number | boolean | null

/** When a part of an object is included: at least one item is enabled, and all of the switches are on. */
export interface When {
  /** Absent: for any items. */
  readonly items?: readonly string[]
  readonly on: readonly string[]
}

/** A word in a comma-separated text. */
export interface Word {
  readonly word: string
  readonly when: When
}

/** An object, or a part of one, with conditions. */
export type Templated = { readonly when: When } & (
  | { readonly kind: 'scalar'; readonly value: Scalar }
  | { readonly kind: 'words'; readonly words: readonly Word[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, Templated])[] }
  | { readonly kind: 'list'; readonly items: readonly Templated[] }
)
