export type NameServerFault =
  /** The message is lost: no effect, no response. */
  | { readonly kind: 'drop' }
  /** The message takes effect, but the response is lost. */
  | { readonly kind: 'drop-answer' }
  /** No effect, only this response. */
  | { readonly kind: 'refuse'; readonly rcode: 'SERVFAIL' | 'REFUSED' | 'NOTAUTH' | 'NOTIMP' }
  /** The UDP response is truncated and has no records. */
  | { readonly kind: 'truncate' }
  /** A forged response arrives first: with another id, or for another question. */
  | { readonly kind: 'forge'; readonly what: 'id' | 'question' }
  /** A cache responds instead: not authoritative, with a TTL reduced by this many seconds. */
  | { readonly kind: 'cached'; readonly age: number }

export interface NameServerFaultOrder {
  readonly fault: NameServerFault
  /** The affected messages. Default: all. */
  readonly opcode?: 'QUERY' | 'UPDATE'
  /** The number of affected messages. Default: 1. */
  readonly times?: number
}

export interface NameServerFaults {
  /** Adds a fault and returns a function that removes it. */
  add(order: NameServerFaultOrder): () => void
  meet(opcode: string): NameServerFault | undefined
}

export const createNameServerFaults = (): NameServerFaults => {
  const orders: { readonly order: NameServerFaultOrder; left: number }[] = []
  return {
    add: order => {
      const entry = { order, left: order.times ?? 1 }
      orders.push(entry)
      return () => {
        entry.left = 0
      }
    },
    meet: opcode => {
      const met = orders.find(({ order, left }) => left > 0 && (order.opcode ?? opcode) === opcode)
      if (met === undefined) return undefined
      met.left -= 1
      return met.order.fault
    },
  }
}
