export type Scalar = string | number | boolean | null

/** When a part of an object is there: one of the items is, and all of the switches are on. */
export interface When {
  /** Absent: whatever the items are. */
  readonly items?: readonly string[]
  readonly on: readonly string[]
}

/** One of the words of a text that lists them with commas. */
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
