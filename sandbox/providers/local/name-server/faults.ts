/** What a name server does wrong to one message. */
export type NameServerFault =
  /** The message is lost: nothing happens, and nothing is answered. */
  | { readonly kind: 'drop' }
  /** It is acted upon, and the answer is lost. */
  | { readonly kind: 'drop-answer' }
  /** Nothing happens but this answer. */
  | { readonly kind: 'refuse'; readonly rcode: 'SERVFAIL' | 'REFUSED' | 'NOTAUTH' | 'NOTIMP' }
  /** The answer by UDP has no room for any record. */
  | { readonly kind: 'truncate' }
  /** Somebody else's answer comes first: of another message, or to another question. */
  | { readonly kind: 'forge'; readonly what: 'id' | 'question' }
  /** A cache answers in its place: not by authority, with a time to live that has run down by so many seconds. */
  | { readonly kind: 'cached'; readonly age: number }

export interface NameServerFaultOrder {
  readonly fault: NameServerFault
  /** Which messages; absent: each. */
  readonly opcode?: 'QUERY' | 'UPDATE'
  /** How many of them; absent: one. */
  readonly times?: number
}

export interface NameServerFaults {
  /** Orders a fault; the returned function takes it back. */
  add(order: NameServerFaultOrder): () => void
  /** The fault that a message meets. */
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
