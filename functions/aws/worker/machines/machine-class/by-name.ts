/** In the order of their names as Go sorts texts: by their bytes. */
export const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  Buffer.compare(Buffer.from(one.name), Buffer.from(other.name))
