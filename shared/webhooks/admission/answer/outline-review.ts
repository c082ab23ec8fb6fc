/** The size of a review, and the places of its objects' fields, without the meaning of their values. */
export interface ReviewOutline {
  /** Fields, list items, objects and lists, about. */
  readonly elements: number
  /** Levels of objects and lists. */
  readonly levels: number
  /** The fields of `request.object`, `request.oldObject` and their metadata, in order. At most `mostFields`. */
  readonly fields: readonly OutlinedField[]
}

export interface OutlinedField {
  readonly of: 'object' | 'oldObject'
  readonly name: string
  /** The name of a field in `metadata`. Undefined: it is a field of the object. */
  readonly inner?: string
  /** The offset of its value in the body. */
  readonly from: number
  /** The offset after its value. */
  readonly to: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

/** The review, its request, an object, and its metadata have one level each. */
const deepestField = 4
/** An object of Kubernetes has about five fields, and its metadata about ten. */
const mostFields = 100

/**
 * Outlines a review in one pass over its bytes. An object with many fields takes longer to parse and to walk through,
 * so its size must be known before. A text that is no JSON has any outline.
 */
export const outlineReview = (body: Uint8Array): ReviewOutline => {
  let elements = 0
  let open = 0
  let levels = 0
  const outer = outerFields(body)
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === quote) {
      const from = at++
      while (at < body.length && body[at] !== quote) at += body[at] === backslash ? 2 : 1
      if (open <= deepestField) outer.text(from + 1, at)
    } else if (byte === comma) {
      elements++
      if (open <= deepestField) outer.end(open, at)
    } else if (byte === colon) {
      if (open <= deepestField) outer.begin(open, at + 1)
    }
    // Brackets of lists and objects differ in one bit.
    else if (byte !== undefined && (byte | 0x20) === 0x7b) {
      elements++
      open++
      if (open > levels) levels = open
    } else if (byte !== undefined && (byte | 0x20) === 0x7d) {
      if (open <= deepestField) outer.end(open, at)
      open--
    }
  }
  return { elements, levels, fields: outer.fields }
}

/** Collects the fields of the objects in a request. */
const outerFields = (body: Uint8Array) => {
  const bytes = bufferOf(body)
  const fields: OutlinedField[] = []
  /** Names and offsets of the fields that contain the current byte, by level. */
  const names: (string | undefined)[] = []
  const began: number[] = []
  let textFrom = 0
  let textTo = 0
  return {
    fields,
    text: (from: number, to: number) => {
      textFrom = from
      textTo = to
    },
    begin: (level: number, from: number) => {
      if (fields.length === mostFields || (level === deepestField && names[level - 1] !== 'metadata')) return
      names[level] = bytes.toString('utf8', textFrom, textTo)
      began[level] = from
    },
    end: (level: number, to: number) => {
      const [, first, of, name, inner] = names
      const from = began[level] ?? 0
      const isOuter = level > 2 && names[level] !== undefined && first === 'request'
      if (isOuter && (of === 'object' || of === 'oldObject') && fields.length < mostFields)
        fields.push({ of, name: String(name), ...(inner !== undefined && { inner }), from, to })
      names[level] = undefined
    },
  }
}

/** The fields that tell which object it is, and whether it is being deleted. */
const identifies = ({ name, inner }: OutlinedField): boolean =>
  inner === undefined
    ? ['apiVersion', 'kind', 'metadata'].includes(name)
    : ['name', 'namespace', 'deletionTimestamp'].includes(inner)

/** Returns the body of a review with `null` for each field of its objects that does not identify them. */
export const withoutContent = (body: Uint8Array, { fields }: ReviewOutline): Uint8Array => {
  const parts: Uint8Array[] = []
  let done = 0
  for (const { from, to } of fields.filter(field => !identifies(field))) {
    parts.push(body.subarray(done, from), Buffer.from('null'))
    done = to
  }
  return Buffer.concat([...parts, body.subarray(done)])
}

/**
 * Returns true if the objects of a review differ at most in metadata and status. Compares bytes: API servers encode
 * both objects alike, with the keys of maps sorted (Go, package encoding/json, "Marshal"). Where the order is the
 * user's, as in a RawExtension, Kubernetes also regards another order as another content.
 */
export const hasSameContent = (body: Uint8Array, { fields }: ReviewOutline): boolean => {
  const bytes = bufferOf(body)
  const contentOf = (object: OutlinedField['of']) =>
    new Map(
      fields
        .filter(({ of, name }) => of === object && name !== 'metadata' && name !== 'status')
        .map(({ name, from, to }) => [name, bytes.subarray(from, to)]),
    )
  const [content, former] = [contentOf('object'), contentOf('oldObject')]
  return (
    fields.length < mostFields &&
    content.size === former.size &&
    [...content].every(([name, value]) => former.get(name)?.equals(value))
  )
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
