/** The part of the objects that a bridge is responsible for, if several bridges share them. */
export interface Shard {
  /** 0 ≤ index < of. */
  readonly index: number
  readonly of: number
  /** The hashed value: the object's uid, or its namespace, so that all objects of a shoot belong to one bridge. */
  readonly by: 'uid' | 'namespace'
}

/** Returns true if an object is in the shard. An object without a namespace is hashed by its uid. */
export const isInShard = ({ index, of, by }: Shard, uid: string, namespace: string | undefined): boolean =>
  hashOf(by === 'uid' ? uid : (namespace ?? uid)) % of === index

/** FNV-1a with 32 bits and one more mixing round: without it, the low bits, which the remainder uses, are uneven. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
