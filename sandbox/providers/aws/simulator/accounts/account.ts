import type { StateOwner } from '../service.ts'

/** Everything in an account, as JSON data. */
export interface AccountSnapshot {
  readonly id: string
  /** By service and region: `route53`, `ec2/eu-west-1`. */
  readonly services: Readonly<Record<string, object>>
}

/** The states of the services in one account. */
export interface AccountStore {
  readonly id: string
  /** A service's state, to look at or to fill without calls; the region matters to regional services only. */
  state<State extends object>(service: StateOwner<State>, region: string): State
  snapshot(): AccountSnapshot
  /** Puts the account back to what it was, including services that were not in use then. */
  restore(snapshot: AccountSnapshot): void
}

export const createAccountStore = (id: string): AccountStore => {
  const states = new Map<string, object>()
  return {
    id,
    state: <State extends object>(service: StateOwner<State>, region: string): State => {
      const key = service.scope === 'global' ? service.model.name : `${service.model.name}/${region}`
      const known = states.get(key)
      // A key belongs to one service, whose createState made the value (or a snapshot of it).
      if (known) return known as State
      const fresh = service.createState()
      states.set(key, fresh)
      return fresh
    },
    snapshot: () => ({ id, services: structuredClone(Object.fromEntries(states)) }),
    restore: snapshot => {
      states.clear()
      for (const [key, state] of Object.entries(structuredClone(snapshot.services))) states.set(key, state)
    },
  }
}
