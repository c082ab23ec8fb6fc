import { computeKinds } from './compute/compute.ts'
import type { KindContext } from './core/context.ts'
import { dialects, type TableService } from './core/dialects.ts'
import { checkCreation, handleKind, isSeen } from './core/handle.ts'
import type { ItemKind } from './core/items.ts'
import type { ResourceKind } from './core/kind.ts'
import type { AnswerList } from './core/lists.ts'
import { jsonAnswer, type ServiceAnswer, type ServiceRequest } from './core/message.ts'
import { dnsKinds, isUuid } from './dns/dns.ts'
import { networkKinds } from './network/network.ts'
import { smallKinds } from './small/small.ts'

const kinds: readonly ResourceKind[] = [...networkKinds, ...computeKinds, ...dnsKinds, ...smallKinds]

export const rowOf = (kind: ItemKind): ResourceKind | undefined => kinds.find(row => row.kind === kind)

/** Answers a request to a service with resources in the table. Throws a `ServiceRefusal`. */
export const answerTable = (
  request: ServiceRequest & { readonly service: TableService },
  context: KindContext,
  answerList: AnswerList,
): ServiceAnswer => {
  const { service, path } = request
  const dialect = dialects[service]
  const segments = path.slice(1).filter((segment, index) => index > 0 || segment !== 'lbaas')
  const [first, id, inner, ...others] = segments
  const nested = kinds.find(
    row => row.service === service && row.within?.collection === first && row.collection === inner,
  )
  if (nested?.within !== undefined && id !== undefined) {
    const parentRow = rowOf(nested.within.kind)
    const parent = context.store.get(nested.within.kind, id)
    if (parentRow === undefined) throw dialect.noResource()
    if (parent === undefined || !isSeen(parentRow, parent, context)) {
      // Designate checks a new record set, and looks for a present one, before it looks for the zone.
      const [own] = others
      if (!isUuid(id)) throw parentRow.missing(id, context.holder)
      if (own !== undefined) throw nested.missing(own, context.holder)
      if (request.method === 'POST') checkCreation({ kind: nested, request, context })
      throw parentRow.missing(id, context.holder)
    }
    return handleKind({ kind: nested, rest: others, parent: id, request, context, answerList })
  }
  const kind = kinds.find(
    row => row.service === service && row.within === undefined && row.collection === first,
  )
  if (kind === undefined) throw dialect.noResource()
  return handleKind({ kind, rest: segments.slice(1), request, context, answerList })
}

/** The document of a service about its versions, which needs no token. */
export const versionsOf = ({ endpoint, service }: ServiceRequest): ServiceAnswer => {
  const id = service === 'network' || service === 'load-balancer' ? 'v2.0' : 'v2'
  return jsonAnswer(200, {
    versions: [{ id, status: 'CURRENT', links: [{ rel: 'self', href: `${endpoint}/${id}` }] }],
  })
}
