/**
 * The key of the tag that an object adds to each resource in the create call. Its value is the uid of the object
 * (docs/decisions/0021-what-proves-whose-a-thing-is.md).
 */
export const markTag = 'trellis.gardener.cloud/created-for'

/**
 * The key of a second tag beside the mark. Its value is namespace and name of the object, so that a recreated object
 * finds the resources of its predecessor.
 */
export const objectTag = 'trellis.gardener.cloud/created-for-object'
