import { isRecord, parsedJson, recordsOf } from '../../../../../shared/decode/record-of.ts'
import { isAdmin, isWriter, type KindContext } from './context.ts'
import { dialects } from './dialects.ts'
import type { CloudItem, ItemKind } from './items.ts'
import { type ItemFields, isOwned, type ResourceKind, type Transition } from './kind.ts'
import type { AnswerList } from './lists.ts'
import { checkFilters, matchesFilters } from './match-filters.ts'
import { jsonAnswer, type ServiceAnswer, type ServiceRequest } from './message.ts'
import { checkRoles, readFields } from './read-fields.ts'

/** A request for one kind of resource. */
export interface KindRequest {
  readonly kind: ResourceKind
  /** The segments after the collection. */
  readonly rest: readonly string[]
  /** The item that contains the collection. */
  readonly parent?: string
  readonly request: ServiceRequest
  readonly context: KindContext
  readonly answerList: AnswerList
}

/** Answers any request for a resource in the table. Throws a `ServiceRefusal`. */
export const handleKind = (asked: KindRequest): ServiceAnswer => {
  const { kind, rest, request, context } = asked
  const dialect = dialects[kind.service]
  const [segment, action] = rest
  const { method } = request
  if (method !== 'GET' && !isWriter(context.holder)) {
    const verb = method === 'POST' ? 'create' : method === 'DELETE' ? 'delete' : 'update'
    throw dialect.forbidden(kind.service === 'network' ? `rule:${verb}_${kind.member}` : ruleOf(kind, verb))
  }
  if (segment === undefined || (segment === 'detail' && method === 'GET')) {
    if (method === 'GET') return listItems(asked, segment === 'detail' ? 'detail' : 'listed')
    if (method === 'POST') return createItems(asked)
    throw dialect.noMethod(method)
  }
  // Neutron reads the body before it looks for the item.
  if (kind.service === 'network' && method === 'PUT' && action === undefined) updateOf(asked)
  const item = itemAt(asked, segment)
  if (action !== undefined) return actOn(asked, item, action)
  if (method === 'GET') return jsonAnswer(200, wrapped(kind, viewOf(kind, item, context, 'one')))
  if (!isOwned(item, context.holder)) throw dialect.noResource()
  if (method === 'DELETE') return deleteItem(asked, item)
  if ((kind.updateMethods ?? ['PUT']).includes(method)) return updateItem(asked, item)
  throw dialect.noMethod(method)
}

const ruleOf = (kind: ResourceKind, verb: string): string => `${kind.collection}:${verb}`

const itemAt = ({ kind, parent, context }: KindRequest, segment: string): CloudItem => {
  const { holder, store } = context
  const item = store.get(kind.kind, kind.idAt?.(segment, holder) ?? segment)
  const isThere =
    item !== undefined &&
    isSeen(kind, item, context) &&
    (kind.within === undefined || (item as CloudItem)[kind.within.field] === parent)
  if (!isThere) throw kind.missing(segment, holder)
  return item
}

/** Returns true if the holder of the token sees an item. */
export const isSeen = (kind: ResourceKind, item: CloudItem, context: KindContext): boolean =>
  isAdmin(context.holder) ||
  // The item is of this kind.
  (kind.isVisible?.(item as never, context.holder, context) ?? isOwned(item, context.holder))

export const viewOf = (
  kind: ResourceKind,
  item: CloudItem,
  context: KindContext,
  form: 'created' | 'one' | 'listed' | 'detail',
): unknown => {
  const view = kind.view === undefined ? item : kind.view(item as never, context, form)
  if (!isRecord(view)) return view
  return Object.fromEntries(Object.entries(view).filter(([name]) => !name.startsWith('_')))
}

const wrapped = ({ member }: ResourceKind, view: unknown): unknown =>
  member === '' ? view : { [member]: view }

const listItems = (
  { kind, parent, request, context, answerList }: KindRequest,
  form: 'listed' | 'detail',
): ServiceAnswer => {
  checkFilters(kind, request.query)
  kind.listed?.(context)
  const shown = new Set(request.query.getAll('fields'))
  const items = context.store
    .all(kind.kind)
    .filter(
      (item: CloudItem) =>
        (kind.within === undefined || item[kind.within.field] === parent) &&
        isSeen(kind, item, context) &&
        matchesFilters(kind, item, request.query, context),
    )
    .map((item: CloudItem) => {
      const view = viewOf(kind, item, context, form)
      return {
        id: item.id,
        view:
          shown.size === 0 || !isRecord(view)
            ? view
            : Object.fromEntries(Object.entries(view).filter(([name]) => shown.has(name))),
      }
    })
  return answerList(request, kind.service, kind.list, items)
}

/** Returns the items in the body of a creation: one, or for Neutron several. */
const givenItems = (
  kind: ResourceKind,
  body: ItemFields,
): { readonly all: readonly ItemFields[]; isBulk: boolean } => {
  if (kind.read !== undefined || kind.member === '') return { all: [body], isBulk: false }
  if (kind.service === 'network' && Array.isArray(body[kind.list]))
    return { all: recordsOf(body[kind.list]), isBulk: true }
  const one = body[kind.member]
  if (!isRecord(one)) throw dialects[kind.service].withoutMember(kind.member)
  return { all: [one], isBulk: false }
}

const bodyOf = ({ kind, request }: Pick<KindRequest, 'kind' | 'request'>): ItemFields => {
  const body = request.body === '' ? {} : parsedJson(request.body)
  if (!isRecord(body)) throw dialects[kind.service].withoutMember(kind.member)
  return body
}

/** Refuses the body of a creation whose parent is missing, as far as the service reads it first. */
export const checkCreation = ({ kind, request, context }: Omit<KindRequest, 'rest' | 'answerList'>): void => {
  for (const one of givenItems(kind, bodyOf({ kind, request })).all) readAll(kind, one, context)
}

const createItems = ({ kind, parent, request, context }: KindRequest): ServiceAnswer => {
  const given = givenItems(kind, bodyOf({ kind, request }))
  const parentField = kind.within === undefined ? {} : { [kind.within.field]: parent }
  const views = context.store.transaction(() => {
    const all = given.all.map(one => ({ ...readAll(kind, one, context), ...parentField }))
    kind.checkAll?.(all, context)
    return all.map(fields => {
      const item = createItem(kind, fields, context)
      return viewOf(kind, context.store.get(kind.kind, item.id) ?? item, context, 'created')
    })
  })
  const status = kind.statuses?.created ?? 201
  return jsonAnswer(status, given.isBulk ? { [kind.list]: views } : wrapped(kind, views[0]))
}

const readAll = (kind: ResourceKind, given: ItemFields, context: KindContext): ItemFields => {
  if (kind.read !== undefined) return kind.read(given, context)
  const fields = readFields(kind, given, 'create', context.holder)
  checkRoles(kind, fields, 'create', context.holder)
  return fields
}

/** Creates an item of checked fields, and what belongs to it. */
export const createItem = (
  kind: ResourceKind,
  fields: ItemFields,
  context: KindContext,
  project: string = context.holder.projectId,
): CloudItem => {
  const { store, holder } = context
  if (kind.quota !== undefined && !holder.isOperator) {
    const most = context.quotaOf(kind.quota, project)
    const used = store.all(kind.kind).filter((one: CloudItem) => one.project_id === project).length
    if (most >= 0 && used >= most) throw dialects[kind.service].overQuota(kind.quota)
  }
  const given = fields.id
  const base = {
    ...fields,
    id: typeof given === 'string' ? given : context.newId(),
    project_id: project,
  }
  const item = {
    ...base,
    ...kind.build?.(fields, context, base),
    ...firstOf(kind.creation, context),
  }
  // `build` returns the fields of the kind.
  store.put(kind.kind, item as never)
  kind.created?.(item as never, context)
  plan(kind.kind, item.id, kind.creation, context)
  return item
}

/** The simulator's own items have their last status at once. */
const firstOf = (transition: Transition | undefined, { holder }: KindContext): ItemFields =>
  transition === undefined ? {} : ((holder.isOperator ? transition.next : undefined) ?? transition.first)

const plan = (
  kind: ItemKind,
  id: string,
  transition: Transition | undefined,
  { holder, later }: KindContext,
): void => {
  if (transition === undefined || holder.isOperator) return
  const { first, next, after } = transition
  later({ kind, id, after, from: first, ...(next && { fields: next }) })
}

const updateOf = ({ kind, request, context }: KindRequest): ItemFields => {
  const body = bodyOf({ kind, request })
  const given = kind.member === '' ? body : body[kind.member]
  if (!isRecord(given)) throw dialects[kind.service].withoutMember(kind.member)
  return readFields(kind, given, 'update', context.holder)
}

const updateItem = (asked: KindRequest, item: CloudItem): ServiceAnswer => {
  const { kind, context } = asked
  const fields = updateOf(asked)
  checkRoles(kind, fields, 'update', context.holder)
  context.store.transaction(() => {
    const changes = kind.change?.(item as never, fields, context) ?? fields
    context.store.patch(kind.kind, item.id, { ...changes, ...firstOf(kind.update, context) })
  })
  plan(kind.kind, item.id, kind.update, context)
  const updated = context.store.get(kind.kind, item.id) ?? item
  return jsonAnswer(kind.statuses?.updated ?? 200, wrapped(kind, viewOf(kind, updated, context, 'one')))
}

const deleteItem = ({ kind, request, context }: KindRequest, item: CloudItem): ServiceAnswer => {
  const { store, holder } = context
  kind.checkDeletion?.(item as never, context, request.query)
  for (const relation of kind.blockedBy ?? []) {
    const blockers = store.all(relation.kind).filter((other: CloudItem) => relation.matches(other, item))
    if (blockers.length > 0) throw relation.refusal(item as never, blockers)
  }
  const { deletion } = kind
  store.transaction(() => {
    if (deletion === undefined || holder.isOperator) context.end(kind.kind, item.id)
    else store.patch(kind.kind, item.id, deletion.first)
  })
  plan(kind.kind, item.id, deletion, context)
  const status = kind.statuses?.deleted ?? 204
  if (kind.service !== 'dns') return jsonAnswer(status)
  return jsonAnswer(status, viewOf(kind, store.get(kind.kind, item.id) ?? item, context, 'one'))
}

const actOn = (
  { kind, rest, request, context }: KindRequest,
  item: CloudItem,
  name: string,
): ServiceAnswer => {
  const dialect = dialects[kind.service]
  // A further segment, as in `tags/<tag>`, is the body of an action with `/*`.
  const [, , last] = rest
  const action = kind.actions?.[`${request.method} ${name}${last === undefined ? '' : '/*'}`]
  if (action === undefined) throw dialect.noResource()
  if (request.method !== 'GET' && !isOwned(item, context.holder)) throw dialect.noResource()
  const body = last === undefined ? bodyOf({ kind, request }) : { segment: last }
  return context.store.transaction(() => action(item as never, body, context))
}
