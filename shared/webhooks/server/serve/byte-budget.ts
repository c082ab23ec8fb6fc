import type { Clock } from '../../../clock/clock.ts'

export interface ByteBudgetLimits {
  /** The limit for all reviews together, in bytes. */
  readonly all: number
  /** The limit for all shoots together, in bytes. The rest is for the API servers of the seed and the garden. */
  readonly shoots: number
  /** The limit for one shoot, in bytes. At least the size of the largest review. */
  readonly shoot: number
  /** The minimum that a review counts, in bytes, for its objects, its connection and its requests. */
  readonly least: number
}

/** Limits the bytes of reviews in memory. Further reviews wait unread, in their order. */
export interface ByteBudget {
  /**
   * Waits until the bytes are free.
   *
   * @param shoot the caller; undefined for an API server of the seed or the garden
   * @returns the share of the review, or undefined after the time limit
   */
  readonly take: (shoot: string | undefined, bytes: number, limitMs: number) => Promise<ByteShare | undefined>
}

/** The bytes of one review. */
export interface ByteShare {
  /**
   * Increases the share to this size if it is smaller. Returns false, and leaves the share unchanged, if not enough
   * bytes are free.
   */
  readonly grow: (bytes: number) => boolean
  /** Releases the bytes. Idempotent. */
  readonly release: () => void
}

interface Share {
  readonly shoot: string | undefined
  readonly bytes: number
}

interface Waiting extends Share {
  readonly start: () => void
}

export const createByteBudget = (limits: ByteBudgetLimits, clock: Pick<Clock, 'after'>): ByteBudget => {
  let all = 0
  let shoots = 0
  const byShoot = new Map<string, number>()
  /** The waiting reviews, in the order of their arrival. */
  const waiting = new Set<Waiting>()

  const fits = ({ shoot, bytes }: Share): boolean =>
    all + bytes <= limits.all &&
    (shoot === undefined ||
      (shoots + bytes <= limits.shoots && (byShoot.get(shoot) ?? 0) + bytes <= limits.shoot))

  const count = ({ shoot, bytes }: Share, sign: 1 | -1): void => {
    all += sign * bytes
    if (shoot === undefined) return
    shoots += sign * bytes
    const own = (byShoot.get(shoot) ?? 0) + sign * bytes
    if (own > 0) byShoot.set(shoot, own)
    else byShoot.delete(shoot)
  }

  /** A waiting shoot does not delay the reviews after it. */
  const startThoseThatFit = (): void => {
    for (const one of waiting) {
      if (!fits(one)) continue
      waiting.delete(one)
      count(one, 1)
      one.start()
    }
  }

  return {
    take: (shoot, bytes, limitMs) =>
      new Promise(resolve => {
        const one: Waiting = {
          shoot,
          bytes: Math.max(bytes, limits.least),
          start: () => {
            cancel()
            let held = one.bytes
            resolve({
              grow: wanted => {
                const more = { shoot, bytes: Math.max(wanted - held, 0) }
                if (!fits(more)) return false
                count(more, 1)
                held += more.bytes
                return true
              },
              release: () => {
                count({ shoot, bytes: held }, -1)
                held = 0
                startThoseThatFit()
              },
            })
          },
        }
        const cancel = clock.after(limitMs, () => {
          waiting.delete(one)
          resolve(undefined)
        })
        waiting.add(one)
        startThoseThatFit()
      }),
  }
}

/**
 * Minimum number of bytes that each object or list counts. One takes up to 200 bytes of memory, but as few as two as
 * text: 7 MiB of `{},` take 149 MB. Text takes about seven times its length.
 */
const bytesPerHolder = 28

const quote = 0x22
const backslash = 0x5c

/** Returns the weight of a JSON body in bytes: its length, or more if it has many objects or lists for its length. */
export const weighReview = (body: Uint8Array): number => {
  let holders = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === quote) at = endOfText(body, at)
    // `{` and `[` differ in one bit.
    else if (byte !== undefined && (byte | 0x20) === 0x7b) holders++
  }
  return Math.max(body.length, holders * bytesPerHolder)
}

/** Returns the end of the string that starts at a quotation mark. */
const endOfText = (body: Uint8Array, from: number): number => {
  let end = body.indexOf(quote, from + 1)
  while (end !== -1 && isEscaped(body, end)) end = body.indexOf(quote, end + 1)
  return end === -1 ? body.length : end
}

const isEscaped = (body: Uint8Array, at: number): boolean => {
  let first = at
  while (body[first - 1] === backslash) first--
  return (at - first) % 2 === 1
}
