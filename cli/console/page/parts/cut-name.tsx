/** Shorter names have room everywhere. */
const longest = 16
/** The end tells names apart, in characters. */
const tail = 9

/** A name that is cut in the middle where it has no room. The tooltip has all of it. */
export const CutName = ({ name }: { readonly name: string }) =>
  name.length <= longest ? (
    <span class="cut" title={name}>
      <span>{name}</span>
    </span>
  ) : (
    <span class="cut" title={name}>
      <span>{name.slice(0, -tail)}</span>
      <span>{name.slice(-tail)}</span>
    </span>
  )
