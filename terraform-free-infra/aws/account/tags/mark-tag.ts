/**
 * The key of the tag that an object gives to what it makes, in the very call that makes it; its value is the uid of the
 * object (docs/decisions/0021-what-proves-whose-a-thing-is.md).
 */
export const markTag = 'trellis.gardener.cloud/created-for'

/**
 * The key of a second tag beside the mark. Its value is namespace and name of the object, so that a recreated object finds the
 * resources of its predecessor.
 */
export const objectTag = 'trellis.gardener.cloud/created-for-object'
