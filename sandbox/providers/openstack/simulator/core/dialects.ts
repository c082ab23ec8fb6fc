import type { QuotaName } from './context.ts'
import type { ServiceName } from './message.ts'
import type { ServiceRefusal } from './refusal.ts'
import { designateRefusal, glanceRefusal, neutronRefusal, novaRefusal, octaviaRefusal } from './refusal.ts'

/** How a service names its paths and refuses requests of any kind of resource. */
export interface Dialect {
  /** The segments before a collection: `v2.0`. */
  readonly prefix: readonly string[]
  overQuota(name: QuotaName): ServiceRefusal
  unknownFields(names: readonly string[]): ServiceRefusal
  notInCreate(name: string): ServiceRefusal
  readOnly(name: string): ServiceRefusal
  required(name: string): ServiceRefusal
  /** `expected`: `string`, `boolean`, `integer`, `list`, `dictionary`. */
  invalid(name: string, value: unknown, expected: string): ServiceRefusal
  withoutMember(member: string): ServiceRefusal
  /** `rule`: `create_network`. */
  forbidden(rule: string): ServiceRefusal
  /** A path that the service does not have, or an item of another project. */
  noResource(): ServiceRefusal
  noMethod(method: string): ServiceRefusal
  /** Undefined: the service ignores filters that it does not know. */
  unknownFilters?(names: readonly string[]): ServiceRefusal
}

const badNeutron = (message: string): ServiceRefusal => neutronRefusal(400, 'HTTPBadRequest', message)

/** `neutron_lib/api/attributes.py` and `neutron/api/v2/base.py`. */
const network: Dialect = {
  prefix: ['v2.0'],
  overQuota: name => neutronRefusal(409, 'OverQuota', `Quota exceeded for resources: ['${name}'].`),
  unknownFields: names => badNeutron(`Unrecognized attribute(s) '${names.join(', ')}'`),
  notInCreate: name => badNeutron(`Attribute '${name}' not allowed in POST`),
  readOnly: name => badNeutron(`Cannot update read-only attribute ${name}`),
  required: name => badNeutron(`Failed to parse request. Required attribute '${name}' not specified`),
  invalid: (name, value, expected) =>
    expected === 'boolean'
      ? neutronRefusal(
          400,
          'InvalidInput',
          `Invalid input for operation: '${value}' cannot be converted to boolean.`,
        )
      : badNeutron(`Invalid input for ${name}. Reason: '${printed(value)}' is not a valid ${expected}.`),
  withoutMember: member => badNeutron(`Unable to find '${member}' in request body`),
  forbidden: rule => neutronRefusal(403, 'PolicyNotAuthorized', `${rule} is disallowed by policy`),
  noResource: () => neutronRefusal(404, 'HTTPNotFound', 'The resource could not be found.'),
  noMethod: () => neutronRefusal(404, 'HTTPNotFound', 'The resource could not be found.'),
  unknownFilters: names =>
    badNeutron(`[${names.map(name => `'${name}'`).join(', ')}] is invalid attribute for filtering`),
}

const novaQuotas: Readonly<Partial<Record<QuotaName, string>>> = {
  key_pairs: 'Quota exceeded, too many key pairs.',
  server_groups: 'Quota exceeded, too many server groups.',
}

/** `nova/exception.py` and `nova/api/validation/validators.py`. */
const compute: Dialect = {
  prefix: ['v2.1'],
  overQuota: name => novaRefusal(403, novaQuotas[name] ?? `Quota exceeded for ${name}`),
  unknownFields: names =>
    novaRefusal(
      400,
      `Additional properties are not allowed (${names.map(name => `'${name}'`).join(', ')} ${names.length === 1 ? 'was' : 'were'} unexpected)`,
    ),
  notInCreate: name => compute.unknownFields([name]),
  readOnly: name => compute.unknownFields([name]),
  required: name => novaRefusal(400, `'${name}' is a required property`),
  invalid: (name, value, expected) =>
    novaRefusal(
      400,
      `Invalid input for field/attribute ${name}. Value: ${printed(value)}. ${quoted(value)} is not of type '${expected}'`,
    ),
  withoutMember: member => novaRefusal(400, `'${member}' is a required property`),
  forbidden: rule => novaRefusal(403, `Policy doesn't allow os_compute_api:${rule} to be performed.`),
  noResource: () => novaRefusal(404, 'The resource could not be found.'),
  noMethod: () => novaRefusal(405, 'The method specified is not allowed for this resource.'),
}

const badObject = (message: string) => designateRefusal(400, 'invalid_object', message)

/** `designate/objects` and `designate/exceptions.py`. */
const dns: Dialect = {
  prefix: ['v2'],
  overQuota: name => designateRefusal(413, 'over_quota', `Quota exceeded for ${name}.`),
  unknownFields: names =>
    badObject(
      `Provided object does not match schema. Keys [${names.map(name => `'${name}'`).join(', ')}] are not valid for recordset`,
    ),
  notInCreate: name => dns.unknownFields([name]),
  readOnly: name => dns.unknownFields([name]),
  required: name => badObject(`Provided object is not valid. '${name}' is a required property`),
  invalid: (name, value, expected) =>
    badObject(
      `Provided object is not valid. Got a ValueError error with message ${printed(value)} is no ${expected} for field ${name}`,
    ),
  withoutMember: () => designateRefusal(400, 'empty_request_body', 'Request Body is empty'),
  forbidden: rule => designateRefusal(403, 'forbidden', `rule:${rule} is disallowed by policy`),
  noResource: () => designateRefusal(404, 'not_found', 'Not Found'),
  noMethod: () => designateRefusal(405, 'method_not_allowed', 'Method Not Allowed'),
  unknownFilters: names => designateRefusal(400, 'bad_request', `Invalid filters ${names.join(', ')}`),
}

/** `octavia/common/exceptions.py`; the texts about fields are those of wsme. */
const loadBalancer: Dialect = {
  prefix: ['v2.0', 'lbaas'],
  overQuota: () => octaviaRefusal(403, 'Quota has been met for resources: Load Balancer'),
  unknownFields: ([name]) =>
    octaviaRefusal(400, `Unknown attribute for argument load_balancer.loadbalancer: ${name}`),
  notInCreate: name => loadBalancer.unknownFields([name]),
  readOnly: name => loadBalancer.unknownFields([name]),
  required: name =>
    octaviaRefusal(400, `Invalid input for field/attribute ${name}. Value: 'None'. Mandatory field missing.`),
  invalid: (name, value) =>
    octaviaRefusal(
      400,
      `Invalid input for field/attribute ${name}. Value: '${printed(value)}'. Value should be of another type`,
    ),
  withoutMember: member => loadBalancer.required(member),
  forbidden: () => octaviaRefusal(403, 'Policy does not allow this request to be performed.'),
  noResource: () => octaviaRefusal(404, 'Not Found'),
  noMethod: () => octaviaRefusal(405, 'Method Not Allowed'),
  unknownFilters: () => octaviaRefusal(400, 'One or more arguments are either duplicate or invalid'),
}

/** Manila has Nova's texts. */
const share: Dialect = {
  ...compute,
  prefix: ['v2'],
  overQuota: () => novaRefusal(413, 'Maximum number of allowed share-networks is exceeded.'),
  forbidden: rule => novaRefusal(403, `Policy doesn't allow ${rule} to be performed.`),
}

const image: Dialect = {
  ...compute,
  prefix: ['v2'],
  forbidden: () => glanceRefusal(403, 'You are not authorized to complete this action.'),
  noResource: () => glanceRefusal(404, 'The resource could not be found.'),
}

const printed = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const quoted = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

/** The services with resources in the table of kinds. */
export type TableService = Exclude<ServiceName, 'identity' | 'object-store'>

export const dialects: Readonly<Record<TableService, Dialect>> = {
  network,
  compute,
  dns,
  image,
  share,
  'load-balancer': loadBalancer,
}
