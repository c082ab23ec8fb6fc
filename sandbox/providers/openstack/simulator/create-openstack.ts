import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../../shared/clock/clock.ts'
import type { OpenStackConnection } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import type { CloudCall, SimulatedCloud } from '../../../seed/seed.ts'
import { cloudCallOf, type RestCall } from './calls.ts'
import { microversionOf, newestMicroversion } from './compute/compute.ts'
import { uuid } from './core/chosen.ts'
import { delays, type KindContext, type QuotaName, quotas, type TokenHolder } from './core/context.ts'
import type { TableService } from './core/dialects.ts'
import { createItem } from './core/handle.ts'
import type { CloudItem, ItemKind, ItemTypes } from './core/items.ts'
import type { ItemFields } from './core/kind.ts'
import { createLateStore, type ReadLag } from './core/late-store.ts'
import { type AwkwardLists, createLists } from './core/lists.ts'
import {
  jsonAnswer,
  type ServiceAnswer,
  type ServiceName,
  type ServiceRequest,
  serviceTypes,
} from './core/message.ts'
import { readFields } from './core/read-fields.ts'
import { htmlRefusal, ServiceRefusal, unauthenticated } from './core/refusal.ts'
import { type CloudStore, createCloudStore, type StoreState } from './core/store.ts'
import { type CloudFaults, createFaults } from './faults.ts'
import { addOperatorContent, addZones } from './furnish.ts'
import { createIdentity } from './identity/identity.ts'
import { addPeople, projectIdOf, userIdOf } from './identity/people.ts'
import { answerObjectStore, containerId, objectId } from './object-store/object-store.ts'
import { type IncomingRequest, listen, type SentAnswer } from './serve/listen.ts'
import { placeOf } from './serve/place-of.ts'
import { answerTable, rowOf, versionsOf } from './table.ts'

export interface OpenStackOptions {
  readonly clock: Clock
  /** Factor on the delays of a real cloud. 0: none. Default: 0.01. */
  readonly scale?: number
  /** Returns random bytes for ids: equal bytes give equal ids. Default: random. */
  readonly bytes?: (count: number) => Uint8Array
  /**
   * True: with external networks, subnet pools, flavors, an image and zones. `operator`: without the zones. Default:
   * only with users.
   */
  readonly furnished?: boolean | 'operator'
  /** Each has its own resources. Default: `RegionOne`. */
  readonly regions?: readonly string[]
  /** The services in the catalog. Default: all. */
  readonly services?: readonly ServiceName[]
  readonly quotas?: Readonly<Partial<Record<QuotaName, number>>>
  /** Default: whole lists in the order of creation. */
  readonly lists?: AwkwardLists
  /** Reads over `lateConnection` show changes late. Default: at once. */
  readonly lag?: ReadLag
  /** Called with each request, in the context of its caller. Must call `handle`, and return its answer. */
  readonly around?: <T>(request: ObservedRequest, handle: () => T) => T
  /** How long a token is valid, in ms. Default: one hour. */
  readonly tokenMs?: number
  /** The newest minor version of Nova. Default: 104. */
  readonly newestMicroversion?: number
}

/** A request as it arrived. `headers`: names in lower case. */
export type ObservedRequest = IncomingRequest

export interface AddOptions {
  /** The name of the project. Default: `shoots`. Empty: the operator's. */
  readonly project?: string
  readonly region?: string
}

/** A simulated OpenStack. */
export interface SimulatedOpenStack {
  readonly clock: Clock
  /** Calls it in this process. */
  readonly connection: OpenStackConnection & { readonly authUrl: string }
  /** The same for callers whose reads lag. */
  readonly lateConnection: SimulatedOpenStack['connection']
  readonly listen: SimulatedCloud['listen']
  environment(url: string): Readonly<Record<string, string>>
  onCall(listener: (call: CloudCall) => void): () => void
  /** Returns the last requests, 10,000 at most. */
  calls(): readonly RestCall[]
  callCount(): number
  readonly faults: CloudFaults
  /** Returns the resources of a kind, of all projects. */
  resources<K extends ItemKind>(kind: K, region?: string): readonly ItemTypes[K][]
  /** Creates a resource at once, without quotas and policies. Throws if the service refuses its fields. */
  add<K extends ItemKind>(kind: K, fields: ItemFields, options?: AddOptions): ItemTypes[K]
  /** Creates an object, with its container. `refusal`: the status of its deletion, as in `403 Forbidden`. */
  addObject(container: string, name: string, body?: string, refusal?: string, project?: string): void
  /** Replaces fields of a resource. */
  put(kind: ItemKind, id: string, fields: ItemFields): void
  /** Removes a resource with what belongs to it. */
  remove(kind: ItemKind, id: string): void
  /** Sets a quota of all projects. A negative number is no limit. */
  setQuota(name: QuotaName, most: number): void
  /** Revokes all tokens. */
  revokeTokens(): void
  snapshot(): OpenStackState
  /** Replaces all resources. Tokens stay valid. */
  restore(state: OpenStackState): void
}

/** The resources of a cloud by region, as JSON. */
export interface OpenStackState {
  readonly regions: Readonly<Record<string, StoreState>>
}

/** The host of URLs in this process (RFC 2606). */
const origin = 'http://openstack.example.com'

const mostRecords = 10_000

/** Creates a simulated OpenStack. */
export const createOpenStack = (options: OpenStackOptions): SimulatedOpenStack => {
  const { clock, scale = 0.01, bytes = randomBytes, regions = ['RegionOne'] } = options
  const { services = Object.keys(serviceTypes) as readonly ServiceName[], furnished = false } = options
  const [mainRegion = ''] = regions
  const { lag = { seed: '', most: 0 }, around = (_, handle) => handle() } = options
  const pairs = new Map(regions.map(name => [name, createLateStore(createCloudStore(), lag, clock.now)]))
  const stores = new Map<string, CloudStore>([...pairs].map(([name, { store }]) => [name, store]))
  const limits: Record<QuotaName, number> = { ...quotas, ...options.quotas }
  const faults = createFaults()
  const records: RestCall[] = []
  const listeners = new Set<(call: CloudCall) => void>()
  let recorded = 0

  const storeOf = (region: string): CloudStore => {
    const store = stores.get(region)
    if (store === undefined) throw new TypeError(`the simulated OpenStack has no region ${region}`)
    return store
  }
  const identity = createIdentity({
    store: () => storeOf(mainRegion),
    now: clock.now,
    random: bytes,
    tokenMs: options.tokenMs ?? 3_600_000,
    regions,
    services,
  })
  const answerList = createLists(options.lists)

  const contextOf = (
    store: CloudStore,
    holder: TokenHolder,
    endpoint = origin,
    microversion = 1,
  ): KindContext => {
    const context: KindContext = {
      holder,
      store,
      now: clock.now(),
      microversion,
      endpoint,
      newId: () => uuid(bytes(16)),
      random: bytes,
      quotaOf: name => limits[name],
      later: ({ after, ...change }) => store.later({ at: clock.now() + delays[after] * scale, ...change }),
      create: (kind, fields, project) => {
        const row = rowOf(kind)
        if (row === undefined) throw new TypeError(`${kind} is not in the table`)
        const service = { ...holder, isOperator: true }
        const { id, ...given } = fields
        const read =
          row.read === undefined ? readFields(row, known(row.fields, given), 'create', service) : {}
        // A service creates with its own rights, and with the delays of the call.
        return createItem(
          row,
          { ...given, ...read, ...(id !== undefined && { id }) },
          { ...context, holder: service },
          project,
        )
      },
      end: (kind, id) => endItem(kind, id, context),
    }
    return context
  }

  const operator = (project: string): TokenHolder => ({
    userId: userIdOf('gardener'),
    projectId: project === '' ? '' : projectIdOf(project),
    roles: ['admin'],
    isOperator: true,
  })

  const advance = (): void => {
    for (const store of stores.values()) {
      const context = contextOf(store, operator(''))
      store.advance(clock.now(), context.end)
    }
  }

  const authenticated = (request: ServiceRequest): TokenHolder => {
    const holder = identity.holderOf(request.headers['x-auth-token'])
    if (holder !== undefined) return holder
    if (request.service === 'object-store')
      throw htmlRefusal(
        401,
        'This server could not verify that you are authorized to access the document you requested.',
      )
    throw unauthenticated()
  }

  const handle = (request: ServiceRequest, region: string, isLate: boolean): ServiceAnswer => {
    advance()
    try {
      const { service, path, method } = request
      if (service === 'identity') return identity.answer(request)
      const isRead = method === 'GET' || method === 'HEAD'
      const store = (isLate && isRead && pairs.get(region)?.late) || storeOf(region)
      if (service === 'object-store')
        return answerObjectStore(request, contextOf(store, authenticated(request)))
      if (path.length === 0) return versionsOf(request)
      const holder = authenticated(request)
      const newest = options.newestMicroversion ?? newestMicroversion
      const microversion = service === 'compute' ? microversionOf(request.headers, newest) : 1
      const context = contextOf(store, holder, request.endpoint, microversion)
      // The services without a table are above.
      return answerTable(request as ServiceRequest & { service: TableService }, context, answerList)
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error
      const { status, body } = error
      if (typeof body === 'object') return jsonAnswer(status, body)
      return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body }
    }
  }

  const record = (entry: RestCall): void => {
    recorded++
    records.push(entry)
    if (records.length > mostRecords) records.shift()
    if (listeners.size === 0) return
    const call = cloudCallOf(entry)
    for (const listener of listeners) listener(call)
  }

  /** Undefined: the connection breaks. */
  const answerIncoming = async (
    incoming: IncomingRequest,
    signal: AbortSignal,
    isLate = false,
  ): Promise<SentAnswer | undefined> => {
    const placed = placeOf(incoming, regions)
    if (placed === undefined) return { status: 404, headers: {}, body: '' }
    const { request, region, path } = placed
    const { service, method } = request
    const met = faults.meet({ service, method, path })
    const now = (when: 'before' | 'after') => met.filter(order => (order.when ?? 'before') === when)
    const suffer = async (when: 'before' | 'after'): Promise<ServiceAnswer | 'drop' | undefined> => {
      for (const { effect } of now(when)) {
        if (effect.kind === 'drop') return 'drop'
        if (effect.kind === 'answer') return faultAnswer(effect.status, effect.body, effect.headers)
        await clock.sleep(effect.ms, signal)
      }
      return undefined
    }
    const before = await suffer('before')
    const own = before ?? around(incoming, () => handle(request, region, isLate))
    const result = before === undefined ? ((await suffer('after')) ?? own) : own
    const answer = result === 'drop' ? undefined : result
    record({ service, region, method, path, body: incoming.body, answer })
    if (answer === undefined) return undefined
    const id = `req-${uuid(bytes(16))}`
    const header =
      service === 'object-store'
        ? { 'x-trans-id': `tx${id.slice(4)}`, 'x-openstack-request-id': `tx${id.slice(4)}` }
        : { 'x-openstack-request-id': id }
    return { ...answer, headers: { ...(isFault(met) ? {} : header), ...answer.headers } }
  }

  const sender =
    (isLate: boolean): OpenStackConnection['send'] =>
    async ({ method, url, headers, body = '', signal }) => {
      signal.throwIfAborted()
      const lower = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      )
      const answer = await answerIncoming({ method, url, headers: lower, body }, signal, isLate)
      signal.throwIfAborted()
      if (answer === undefined) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
      return answer
    }

  const add = <K extends ItemKind>(
    kind: K,
    fields: ItemFields,
    addOptions: AddOptions = {},
  ): ItemTypes[K] => {
    const { project = 'shoots', region = mainRegion } = addOptions
    const store = storeOf(region)
    advance()
    const context = contextOf(store, operator(project))
    const row = rowOf(kind)
    if (row === undefined) {
      const item = { id: uuid(bytes(16)), project_id: projectIdOf(project), ...fields }
      // The test gives the fields of the kind.
      store.put(kind, item as never)
      return item as unknown as ItemTypes[K]
    }
    const item: CloudItem =
      row.read === undefined
        ? context.create(kind, fields, context.holder.projectId)
        : createItem(
            row,
            { ...row.read({ [row.member]: fields }, { ...context, microversion: 64 }) },
            context,
          )
    // The item has just been created.
    return store.get(kind, item.id) as ItemTypes[K]
  }

  for (const store of [storeOf(mainRegion)]) addPeople(store)
  if (furnished !== false) {
    for (const region of regions)
      addOperatorContent((kind, fields) => void add(kind, fields, { project: '', region }))
    if (furnished === true) addZones((kind, fields) => void add(kind, fields))
  }

  return {
    clock,
    connection: { send: sender(false), authUrl: `${origin}/identity/v3` },
    lateConnection: { send: sender(true), authUrl: `${origin}/identity/v3` },
    listen: ({ port }) => listen((incoming, signal) => answerIncoming(incoming, signal), port),
    environment: url => ({ OS_AUTH_URL: `${url}/identity/v3` }),
    onCall: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    calls: () => [...records],
    callCount: () => recorded,
    faults,
    resources: (kind, region = mainRegion) => {
      advance()
      return storeOf(region).all(kind)
    },
    add,
    addObject: (container, name, body = '', refusal, of = 'shoots') => {
      const project = projectIdOf(of)
      const store = storeOf(mainRegion)
      store.put('container', { id: containerId(project, container), project_id: project, name: container })
      store.put('object', {
        id: objectId(project, container, name),
        project_id: project,
        container,
        name,
        body,
        modified: new Date(clock.now()).toISOString(),
        _refusal: refusal ?? null,
      })
    },
    put: (kind, id, fields) => {
      for (const store of stores.values()) store.patch(kind, id, fields)
    },
    remove: (kind, id) => {
      for (const store of stores.values()) endItem(kind, id, contextOf(store, operator('')))
    },
    setQuota: (name, most) => {
      limits[name] = most
    },
    revokeTokens: identity.revokeTokens,
    snapshot: () => {
      advance()
      return { regions: Object.fromEntries([...stores].map(([name, store]) => [name, store.snapshot()])) }
    },
    restore: state => {
      for (const [name, content] of Object.entries(state.regions)) storeOf(name).restore(content)
    },
  }
}

/** Removes a resource with those that belong to it. */
const endItem = (kind: ItemKind, id: string, context: KindContext): void => {
  const { store } = context
  const item: CloudItem | undefined = store.get(kind, id)
  if (item === undefined) return
  const row = rowOf(kind)
  for (const relation of row?.owns ?? [])
    for (const other of store.all(relation.kind))
      if (relation.matches(other, item)) endItem(relation.kind, other.id, context)
  store.remove(kind, id)
  row?.ended?.(item as never, context)
}

const known = (fields: ItemFields, given: ItemFields): ItemFields =>
  Object.fromEntries(Object.entries(given).filter(([name, value]) => name in fields && value !== undefined))

const isFault = (met: readonly { readonly effect: { readonly kind: string } }[]): boolean =>
  met.some(({ effect }) => effect.kind === 'answer')

const faultAnswer = (
  status: number,
  body: object | string | undefined,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer => {
  if (typeof body === 'object') return jsonAnswer(status, body, headers)
  return { status, headers: { 'content-type': 'text/html', ...headers }, body: body ?? '' }
}
