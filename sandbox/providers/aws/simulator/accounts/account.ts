import type { StateOwner } from '../service.ts'

/** The content of an account, as JSON data. */
export interface AccountSnapshot {
  readonly id: string
  /** States by service and region: `route53`, `ec2/eu-west-1`. */
  readonly services: Readonly<Record<string, object>>
}

/** The states of the services in one account. */
export interface AccountStore {
  readonly id: string
  /** Returns a service's state, for reads or changes without calls. Only regional services use the region. */
  state<State extends object>(service: StateOwner<State>, region: string): State
  snapshot(): AccountSnapshot
  /** Returns the states themselves, for reads. They change with the next call. */
  present(): AccountSnapshot
  /** Restores the account to a snapshot, including services that were not in use then. */
  restore(snapshot: AccountSnapshot): void
}

export const createAccountStore = (id: string): AccountStore => {
  const states = new Map<string, object>()
  return {
    id,
    state: <State extends object>(service: StateOwner<State>, region: string): State => {
      const key = service.scope === 'global' ? service.model.name : `${service.model.name}/${region}`
      const known = states.get(key)
      // A key belongs to one service, and its createState created the value (or the snapshot of one).
      if (known) return known as State
      const fresh = service.createState()
      states.set(key, fresh)
      return fresh
    },
    present: () => ({ id, services: Object.fromEntries(states) }),
    snapshot: () => ({ id, services: structuredClone(Object.fromEntries(states)) }),
    restore: snapshot => {
      states.clear()
      for (const [key, state] of Object.entries(structuredClone(snapshot.services))) states.set(key, state)
    },
  }
}
