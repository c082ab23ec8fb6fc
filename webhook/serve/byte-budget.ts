import type { Clock } from '../../shared/clock/clock.ts'

export interface ByteBudgetLimits {
  /** The bytes of all reviews together. */
  readonly all: number
  /** The bytes of all shoots together. The rest is for the API servers of the seed and the garden. */
  readonly shoots: number
  /** The bytes of one shoot. At least the size of the largest review. */
  readonly shoot: number
  /** The least bytes that a review counts, for its objects, its connection and its requests. */
  readonly least: number
}

/** Limits the bytes of reviews in memory. Further reviews wait unread, in their order. */
export interface ByteBudget {
  /**
   * Waits until the bytes are free.
   *
   * @param shoot the shoot of the caller; undefined: an API server of the seed or the garden
   * @returns a function that frees the bytes; undefined: the time is over
   */
  readonly take: (
    shoot: string | undefined,
    bytes: number,
    limitMs: number,
  ) => Promise<(() => void) | undefined>
}

interface Waiting {
  readonly shoot: string | undefined
  readonly bytes: number
  readonly start: () => void
}

export const createByteBudget = (limits: ByteBudgetLimits, clock: Pick<Clock, 'after'>): ByteBudget => {
  let all = 0
  let shoots = 0
  const byShoot = new Map<string, number>()
  /** The waiting reviews, in the order of their arrival. */
  const waiting = new Set<Waiting>()

  const fits = ({ shoot, bytes }: Waiting): boolean =>
    all + bytes <= limits.all &&
    (shoot === undefined ||
      (shoots + bytes <= limits.shoots && (byShoot.get(shoot) ?? 0) + bytes <= limits.shoot))

  const count = ({ shoot, bytes }: Waiting, sign: 1 | -1): void => {
    all += sign * bytes
    if (shoot === undefined) return
    shoots += sign * bytes
    const own = (byShoot.get(shoot) ?? 0) + sign * bytes
    if (own > 0) byShoot.set(shoot, own)
    else byShoot.delete(shoot)
  }

  /** A waiting shoot does not delay the others behind it. */
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
            let isGivenBack = false
            resolve(() => {
              if (isGivenBack) return
              isGivenBack = true
              count(one, -1)
              startThoseThatFit()
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
