import type { DelayName, KindContext, QuotaName, TokenHolder } from './context.ts'
import { isAdmin } from './context.ts'
import type { TableService } from './dialects.ts'
import type { CloudItem, ItemKind, ItemTypes } from './items.ts'
import type { ServiceAnswer } from './message.ts'
import type { ServiceRefusal } from './refusal.ts'

export type ItemFields = Readonly<Record<string, unknown>>

/** A field of a request. */
export interface KindField {
  readonly type: 'text' | 'flag' | 'number' | 'list' | 'record'
  /** The value if a creation has none. Undefined: the field is left to `build`. */
  readonly initial?: unknown
  readonly required?: boolean
  /** True: null is a value. */
  readonly nullable?: boolean
  /** False: only a creation, or only an update, may have it. Default: both. */
  readonly inCreate?: boolean
  readonly inUpdate?: boolean
  /** A role that may set it, besides `admin`. Empty: no other role. */
  readonly role?: string
}

/** Status fields that change later. */
export interface Transition {
  /** At once. */
  readonly first: ItemFields
  /** Absent: the resource ends. */
  readonly next?: ItemFields
  readonly after: DelayName
}

/** Resources of another kind that belong to a resource, or prevent its deletion. */
export interface Relation {
  readonly kind: ItemKind
  matches(other: CloudItem, item: CloudItem): boolean
}

export const related = <O extends ItemKind, K extends ItemKind>(
  kind: O,
  matches: (other: ItemTypes[O], item: ItemTypes[K]) => boolean,
  // The handler passes items of these kinds.
): Relation => ({ kind, matches: matches as unknown as Relation['matches'] })

/** An action on an item. The handler passes items of the kind, hence a method. */
export type KindAction<K extends ItemKind> = {
  act(item: ItemTypes[K], body: ItemFields, context: KindContext): ServiceAnswer
}['act']

/** A kind of resource: one row of the table that the handler works from. */
export interface ResourceKind<K extends ItemKind = ItemKind> {
  readonly kind: K
  readonly service: TableService
  /** The last fixed segment of its path: `security-groups`. */
  readonly collection: string
  /** The collection of the item that contains it: `zones`. The field `zone_id` has the id of that item. */
  readonly within?: { readonly collection: string; readonly kind: ItemKind; readonly field: string }
  /** The member of a body with one item. Empty: the body is the item. */
  readonly member: string
  /** The member of a body with a list. */
  readonly list: string
  readonly fields: Readonly<Record<string, KindField>>
  /** Further fields that a list can be filtered by. */
  readonly filters?: readonly string[]
  readonly quota?: QuotaName
  /** The statuses of answers, where they differ from 201, 200 and 204. */
  readonly statuses?: { readonly created?: number; readonly updated?: number; readonly deleted?: number }
  /** Default: PUT. */
  readonly updateMethods?: readonly string[]
  readonly creation?: Transition
  readonly update?: Transition
  readonly deletion?: Transition
  /** Resources that prevent a deletion. */
  readonly blockedBy?: readonly (Relation & {
    refusal(item: ItemTypes[K], blockers: readonly CloudItem[]): ServiceRefusal
  })[]
  /** Resources that end with it. */
  readonly owns?: readonly Relation[]
  missing(id: string, holder: TokenHolder): ServiceRefusal
  /** Returns true if a holder sees it. Default: that of its project, and an admin. */
  isVisible?(item: ItemTypes[K], holder: TokenHolder, context: KindContext): boolean
  /** Returns the id of the item at a path. Default: the last segment. */
  idAt?(segment: string, holder: TokenHolder): string
  /** Returns the rule of the policy that forbids a change: `create_router`. Undefined: it is allowed. */
  policy?(fields: ItemFields, holder: TokenHolder, action: 'create' | 'update'): string | undefined
  /** Reads a whole body in place of `fields`. */
  read?(body: ItemFields, context: KindContext): ItemFields
  /** Refuses values of an acceptable type, before the service looks at any other resource. */
  checkValues?(fields: ItemFields, action: 'create' | 'update'): void
  /** Checks the items of one request together. */
  checkAll?(all: readonly ItemFields[], context: KindContext): void
  /** Returns the item of checked fields. May refuse them. */
  build?(fields: ItemFields, context: KindContext, base: CloudItem): ItemFields
  /** Creates what belongs to a new item. */
  created?(item: ItemTypes[K], context: KindContext): void
  /** Returns the changes of an update. May refuse them. */
  change?(item: ItemTypes[K], fields: ItemFields, context: KindContext): ItemFields
  /** Refuses a deletion for other reasons than `blockedBy`. */
  checkDeletion?(item: ItemTypes[K], context: KindContext, query: URLSearchParams): void
  /** Releases what an ended item used. */
  ended?(item: ItemTypes[K], context: KindContext): void
  /** Returns an item as the API shows it. */
  view?(item: ItemTypes[K], context: KindContext, form: 'created' | 'one' | 'listed' | 'detail'): unknown
  /** Returns true if an item matches the values of a filter. Undefined: the handler compares the field. */
  filter?(
    item: ItemTypes[K],
    name: string,
    values: readonly string[],
    context: KindContext,
  ): boolean | undefined
  /** Prepares a list: Neutron creates the default security group then. */
  listed?(context: KindContext): void
  /** Actions on an item, by method and name: `PUT add_router_interface`. */
  readonly actions?: Readonly<Record<string, KindAction<K>>>
}

export const isOwned = (item: CloudItem, holder: TokenHolder): boolean =>
  isAdmin(holder) || item.project_id === holder.projectId
