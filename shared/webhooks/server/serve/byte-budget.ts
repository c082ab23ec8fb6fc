import type { Clock, Timestamp } from '../../../clock/clock.ts'

export interface ByteBudgetLimits {
  /** The limit for all reviews together, in bytes. */
  readonly all: number
  /** The limit for all shoots together, in bytes. The rest is for the API servers of the seed and the garden. */
  readonly shoots: number
  /** The limit for one shoot, in bytes. At least the size of the largest review. */
  readonly shoot: number
  /** The minimum that a review counts, in bytes, for its objects, its connection and its requests. */
  readonly least: number
  /**
   * The limits of requests in progress, which hold a connection each, also while they wait: of all shoots together, and
   * of one. The other connections are for the seed and the garden.
   */
  readonly places: { readonly shoots: number; readonly shoot: number }
  /** A body that has not arrived after this time may be evicted for a caller that holds less. Milliseconds. */
  readonly slowMs: number
}

export interface ArrivingBody {
  /** Returns its bytes so far. */
  readonly received: () => number
  /** Closes its connection. The caller repeats the review. */
  readonly evict: () => void
}

/** Limits the bytes of reviews in memory and their places. Further reviews wait unread, in their order. */
export interface ByteBudget {
  /**
   * Waits until the bytes are free.
   *
   * @param shoot the caller; undefined for an API server of the seed or the garden
   * @returns the share of the review, or undefined after the time limit, or if the caller has no place
   */
  readonly take: (
    shoot: string | undefined,
    bytes: number,
    limitMs: number,
    body: ArrivingBody,
  ) => Promise<ByteShare | undefined>
}

/** The bytes of one review. */
export interface ByteShare {
  /** Must be called when the body has arrived. Then the review is not evicted. */
  readonly arrived: () => void
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

/** A share whose body has not arrived. */
interface Reading {
  readonly shoot: string | undefined
  readonly since: Timestamp
  readonly body: ArrivingBody
  readonly release: () => void
}

export const createByteBudget = (
  limits: ByteBudgetLimits,
  clock: Pick<Clock, 'after' | 'now'>,
): ByteBudget => {
  let all = 0
  const bytes = createCount<string>()
  const places = createCount<string>()
  /** The waiting reviews, in the order of their arrival. */
  const waiting = new Set<Waiting>()
  const reading = new Set<Reading>()

  const fits = ({ shoot, bytes: wanted }: Share): boolean =>
    all + wanted <= limits.all &&
    (shoot === undefined ||
      (bytes.all() + wanted <= limits.shoots && bytes.of(shoot) + wanted <= limits.shoot))

  const count = ({ shoot, bytes: wanted }: Share, sign: 1 | -1): void => {
    all += sign * wanted
    if (shoot !== undefined) bytes.add(shoot, sign * wanted)
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

  /** Evicts the slowest body of a shoot among those that may make room. Returns false if there is none. */
  const evictSlowest = (mayEvict: (shoot: string) => boolean): boolean => {
    const now = clock.now()
    const rateOf = ({ since, body }: Reading) => body.received() / (now - since)
    const [slowest] = [...reading]
      .filter(({ shoot, since }) => shoot !== undefined && now - since >= limits.slowMs && mayEvict(shoot))
      .toSorted((one, other) => rateOf(one) - rateOf(other))
    if (slowest === undefined) return false
    slowest.body.evict()
    slowest.release()
    return true
  }

  /** A shoot may evict others that hold more bytes than it, and the seed every shoot. */
  const evictFor = (one: Waiting): void => {
    const { shoot } = one
    const mayEvict = (other: string) =>
      shoot === undefined || (other !== shoot && bytes.of(other) > bytes.of(shoot))
    // A shoot at its own limit gains nothing.
    if (shoot !== undefined && bytes.of(shoot) + one.bytes > limits.shoot) return
    while (waiting.has(one) && evictSlowest(mayEvict));
  }

  /** Returns false if the shoot, or all of them, have too many requests and none of them is slow. */
  const takePlace = (shoot: string): boolean => {
    if (places.of(shoot) >= limits.places.shoot && !evictSlowest(other => other === shoot)) return false
    if (places.all() < limits.places.shoots) return true
    return evictSlowest(other => places.of(other) > places.of(shoot))
  }

  return {
    take: async (shoot, wanted, limitMs, body) => {
      if (shoot !== undefined && !takePlace(shoot)) return undefined
      if (shoot !== undefined) places.add(shoot, 1)
      let hasPlace = true
      const leavePlace = (): void => {
        if (hasPlace && shoot !== undefined) places.add(shoot, -1)
        hasPlace = false
      }
      return new Promise(resolve => {
        const cancels: (() => void)[] = []
        const cancel = (): void => {
          for (const one of cancels.splice(0)) one()
        }
        const one: Waiting = {
          shoot,
          bytes: Math.max(wanted, limits.least),
          start: () => {
            cancel()
            let held = one.bytes
            const release = (): void => {
              leavePlace()
              reading.delete(arriving)
              count({ shoot, bytes: held }, -1)
              held = 0
              startThoseThatFit()
            }
            const arriving: Reading = { shoot, since: clock.now(), body, release }
            reading.add(arriving)
            resolve({
              arrived: () => void reading.delete(arriving),
              grow: size => {
                const more = { shoot, bytes: Math.max(size - held, 0) }
                if (!fits(more)) return false
                count(more, 1)
                held += more.bytes
                return true
              },
              release,
            })
          },
        }
        const evictSlow = (): void => {
          if (!waiting.has(one)) return
          evictFor(one)
          if (waiting.has(one)) cancels.push(clock.after(limits.slowMs, evictSlow))
        }
        cancels.push(
          clock.after(limitMs, () => {
            cancel()
            waiting.delete(one)
            leavePlace()
            resolve(undefined)
          }),
        )
        waiting.add(one)
        startThoseThatFit()
        evictSlow()
      })
    },
  }
}

/** Counts by key, without the keys whose count is 0. */
const createCount = <Key>() => {
  const counts = new Map<Key, number>()
  let all = 0
  return {
    all: () => all,
    of: (key: Key): number => counts.get(key) ?? 0,
    add: (key: Key, more: number): void => {
      all += more
      const count = (counts.get(key) ?? 0) + more
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
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
