import { isRecord } from '../../../../../shared/decode/record-of.ts'
import { isAdmin, type TokenHolder } from './context.ts'
import { dialects } from './dialects.ts'
import type { ItemFields, KindField, ResourceKind } from './kind.ts'

/** The words of the services for the types. */
const typeNames: Readonly<Record<KindField['type'], string>> = {
  text: 'string',
  flag: 'boolean',
  number: 'integer',
  list: 'list',
  record: 'dictionary',
}

/**
 * Returns the fields of a request: checked, and with the defaults of a creation. Throws the refusal of the service.
 * `checkRoles` has to follow.
 */
export const readFields = (
  { fields, service, checkValues }: Pick<ResourceKind, 'fields' | 'service' | 'checkValues'>,
  given: ItemFields,
  action: 'create' | 'update',
  holder: TokenHolder,
): ItemFields => {
  const dialect = dialects[service]
  // Neutron knows its other attributes.
  if (action === 'create' && service === 'network' && given.tags !== undefined)
    throw dialect.notInCreate('tags')
  const unknown = Object.keys(given).filter(name => !Object.hasOwn(fields, name) && !ofOwner.has(name))
  if (unknown.length > 0) throw dialect.unknownFields(unknown)
  const read: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name]
    if (value === undefined) {
      if (action === 'update') continue
      if (field.required && !holder.isOperator) throw dialect.required(name)
      if (field.initial !== undefined) read[name] = field.initial
      continue
    }
    if (holder.isOperator) {
      read[name] = value
      continue
    }
    if (action === 'create' && field.inCreate === false) throw dialect.notInCreate(name)
    if (action === 'update' && field.inUpdate === false) throw dialect.readOnly(name)
    read[name] = checked(name, value, field, dialect.invalid)
  }
  if (!holder.isOperator) checkValues?.(read, action)
  return read
}

/** Refuses fields that the holder may not set. */
export const checkRoles = (
  { fields, service, kind, member, policy }: ResourceKind,
  read: ItemFields,
  action: 'create' | 'update',
  holder: TokenHolder,
): void => {
  const { forbidden } = dialects[service]
  for (const [name, { role, initial }] of Object.entries(fields)) {
    const isSet = name in read && (action === 'update' || read[name] !== initial)
    if (role !== undefined && isSet && !isAdmin(holder) && !holder.roles.includes(role)) {
      const rule = `${action}_${member || kind}`
      throw forbidden(`(rule:${rule} and rule:${rule}:${name})`)
    }
  }
  const rule = policy?.(read, holder, action)
  if (rule !== undefined) throw forbidden(rule)
}

/** The project is that of the token; naming it is allowed. */
const ofOwner: ReadonlySet<string> = new Set(['project_id', 'tenant_id'])

const checked = (
  name: string,
  value: unknown,
  { type, nullable }: KindField,
  invalid: (name: string, value: unknown, expected: string) => Error,
): unknown => {
  if (value === null) {
    if (nullable) return null
    throw invalid(name, 'None', typeNames[type])
  }
  switch (type) {
    case 'flag':
      if (typeof value === 'boolean') return value
      if (/^(?:true|false)$/i.test(String(value))) return String(value).toLowerCase() === 'true'
      break
    case 'number': {
      const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
      if (Number.isInteger(number)) return number
      break
    }
    case 'text':
      if (typeof value === 'string') return value
      break
    case 'list':
      if (Array.isArray(value)) return value
      break
    case 'record':
      if (isRecord(value)) return value
      break
  }
  throw invalid(name, value, typeNames[type])
}
