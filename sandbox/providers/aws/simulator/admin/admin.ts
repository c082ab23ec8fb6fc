import * as z from 'zod'
import { isAllowed } from '../accounts/key-ring.ts'
import type { Aws } from '../aws-interface.ts'
import type { WireRequest, WireResponse } from '../codec/message.ts'
import { type FaultOrder, faultSchema } from '../faults/fault.ts'
import { lastInstant } from '../movable-clock.ts'
import type { Admin } from '../serve/http.ts'
import type { Service } from '../service.ts'
import { inventoryRoutes } from './inventory-routes.ts'
import { type AdminRoute, BadOrder, complaintOf, json, nothing, parseBody, readOrder } from './route.ts'

const jump = z.strictObject({ milliseconds: z.number().min(0) })

/** A fault with an unknown name would never happen. */
const checkTarget = (services: readonly Service<object>[], { service, action }: FaultOrder): void => {
  const names = services.map(({ model }) => model.name)
  if (service !== undefined && !names.includes(service)) {
    throw new BadOrder(`service: there is no ${service}; there are ${names.join(', ')}`)
  }
  const candidates = services.filter(({ model }) => service === undefined || model.name === service)
  const isOperation = (pattern: string): boolean =>
    candidates.some(({ model }) => [...model.operations.keys()].some(name => isAllowed(name, [pattern])))
  if (action !== undefined && !isOperation(action)) {
    throw new BadOrder(`action: ${service ?? 'no service'} has ${service ? 'no' : 'an'} operation ${action}`)
  }
}

const accountRoutes = (aws: Aws): Readonly<Record<string, AdminRoute>> => {
  const known = (id: string): string => {
    if (!/^\d{12}$/.test(id)) throw new BadOrder('an account is named by 12 digits')
    return id
  }
  const restore = (id: string | undefined, request: WireRequest): WireResponse => {
    const account = aws.account(id)
    const snapshot = aws.readSnapshot(parseBody(request))
    if (snapshot.id !== account.id) {
      throw new BadOrder(`id: this is account ${snapshot.id}, not ${account.id}`)
    }
    account.restore(snapshot)
    return nothing
  }
  const empty = (id: string | undefined): WireResponse => {
    const account = aws.account(id)
    account.restore({ id: account.id, services: {} })
    return nothing
  }
  return {
    'GET /_trellis/account': () => json(200, aws.account().snapshot()),
    'PUT /_trellis/account': request => restore(undefined, request),
    'DELETE /_trellis/account': () => empty(undefined),
    'GET /_trellis/accounts': () => json(200, { accounts: aws.accounts() }),
    'GET /_trellis/accounts/*': (_, id) => json(200, aws.account(known(id)).snapshot()),
    'PUT /_trellis/accounts/*': (request, id) => restore(known(id), request),
    'DELETE /_trellis/accounts/*': (_, id) => empty(known(id)),
  }
}

const observationRoutes = (
  aws: Aws,
  services: readonly Service<object>[],
): Readonly<Record<string, AdminRoute>> => ({
  'GET /_trellis/calls': () =>
    json(200, { calls: aws.calls.all(), dropped: aws.calls.dropped(), limit: aws.calls.limit }),
  'DELETE /_trellis/calls': () => {
    aws.calls.clear()
    return nothing
  },
  'GET /_trellis/not-built': () => json(200, { notBuilt: aws.notBuilt.all() }),
  'DELETE /_trellis/not-built': () => {
    aws.notBuilt.take()
    return nothing
  },
  'GET /_trellis/faults': () => json(200, { faults: aws.faults.pending() }),
  'POST /_trellis/faults': request => {
    const order = readOrder(faultSchema, request)
    checkTarget(services, order)
    aws.faults.add(order)
    return json(201, { faults: aws.faults.pending() })
  },
  'DELETE /_trellis/faults': () => {
    aws.faults.clear()
    return nothing
  },
  'GET /_trellis/clock': () => json(200, { now: new Date(aws.clock.now()).toISOString() }),
  'POST /_trellis/clock': request => {
    const { milliseconds } = readOrder(jump, request)
    if (aws.clock.now() + milliseconds > lastInstant) {
      throw new BadOrder('milliseconds: the clock goes no further than to the year 9000')
    }
    aws.clock.jump(milliseconds)
    return json(200, { now: new Date(aws.clock.now()).toISOString() })
  },
})

/** Returns the pattern of a route and the variable part of this path. */
const locate = (path: string): readonly [pattern: string, given: string] => {
  const [, folder, last] = /^(\/_trellis\/accounts\/)([^/]+)$/.exec(path) ?? []
  return folder === undefined ? [path.replace(/\/$/, ''), ''] : [`${folder}*`, last ?? '']
}

/**
 * The simulator's own endpoint, described in `docs/aws-simulator.md`. Bodies are JSON. An invalid one gets 400 and
 * `{"error": …}`.
 */
export const createAdmin = (aws: Aws, services: readonly Service<object>[]): Admin => {
  const routes = new Map(
    Object.entries({
      ...observationRoutes(aws, services),
      ...accountRoutes(aws),
      ...inventoryRoutes(aws),
    }),
  )
  const index = [...routes.keys()].toSorted((a, b) =>
    (a.split(' ')[1] ?? '').localeCompare(b.split(' ')[1] ?? ''),
  )

  return request => {
    if (!/^\/_trellis(?:\/|$)/.test(request.path)) return undefined
    const [pattern, given] = locate(request.path)
    if (pattern === '/_trellis' && request.method === 'GET') return json(200, { routes: index })
    const route = routes.get(`${request.method} ${pattern}`)
    const methods = index.filter(name => name.endsWith(` ${pattern}`)).map(name => name.split(' ')[0])
    if (!route && methods.length === 0) return json(404, { error: 'There is no such path.', routes: index })
    if (!route) return json(405, { error: `This path takes ${methods.join(', ')}.` })
    try {
      return route(request, given)
    } catch (error) {
      const complaint = complaintOf(error)
      if (complaint === undefined) throw error
      return json(400, { error: complaint })
    }
  }
}
