/** Which part of the objects a bridge is responsible for, when several share them. */
export interface Shard {
  /** 0 ≤ index < of. */
  readonly index: number
  readonly of: number
  /** What is hashed: the object's uid, or its namespace, so that all objects of a shoot go through one bridge. */
  readonly by: 'uid' | 'namespace'
}

/** Whether an object is in the shard. One without a namespace goes by its uid. */
export const isInShard = ({ index, of, by }: Shard, uid: string, namespace: string | undefined): boolean =>
  hashOf(by === 'uid' ? uid : (namespace ?? uid)) % of === index

/** FNV-1a, 32 bits, its bits mixed once more: the plain one is uneven in its low bits, which the remainder takes. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
