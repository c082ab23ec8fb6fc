import { expect, test } from 'vitest'
import { codesOf } from '../../../../shared/contract/classify.ts'
import { isNotFound, refusalIn } from './openstack-error.ts'
import { errorKindOf, withCodes } from './step-error.ts'

const answer = (status: number, body: object | string, headers = {}, service = 'network') =>
  refusalIn(
    { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
    { service, doing: 'doing', secrets: [], repeated: false },
  )
const neutron = (type: string, message: string) => ({ NeutronError: { type, message, detail: '' } })

test.each<[string, ReturnType<typeof answer>, string, readonly string[], string]>([
  [
    'quota of Neutron',
    answer(409, neutron('OverQuota', "Quota exceeded for resources: ['router'].")),
    "doing: OverQuota: Quota exceeded for resources: ['router'].",
    ['ERR_INFRA_QUOTA_EXCEEDED'],
    'other',
  ],
  [
    'quota of Nova',
    answer(403, { forbidden: { code: 403, message: 'Quota exceeded for cores: Requested 4' } }),
    'doing: forbidden: Quota exceeded for cores: Requested 4',
    ['ERR_INFRA_QUOTA_EXCEEDED'],
    'other',
  ],
  [
    'a password',
    answer(401, {
      error: { code: 401, message: 'The request requires authentication.', title: 'Unauthorized' },
    }),
    'doing: Unauthorized: The request requires authentication.',
    ['ERR_INFRA_UNAUTHORIZED'],
    'other',
  ],
  [
    'an application credential',
    answer(
      404,
      { error: { message: 'Could not find Application Credential: x.', title: 'Not Found' } },
      {},
      'identity',
    ),
    'doing: Not Found: Could not find Application Credential: x.',
    ['ERR_INFRA_UNAUTHENTICATED'],
    // It says nothing about the resource that the call was about.
    'other',
  ],
  [
    'an invalid field of Designate',
    answer(400, {
      code: 400,
      type: 'invalid_object',
      errors: { errors: [{ path: ['records', 0], message: "'a b' is not a 'TXT' Record" }] },
    }),
    "doing: invalid_object: records.0: 'a b' is not a 'TXT' Record",
    ['ERR_CONFIGURATION_PROBLEM'],
    'other',
  ],
  [
    'a policy',
    answer(403, neutron('PolicyNotAuthorized', 'is disallowed by policy')),
    'doing: PolicyNotAuthorized: is disallowed by policy',
    ['ERR_INFRA_UNAUTHORIZED'],
    'other',
  ],
  [
    'ports in use',
    answer(409, neutron('NetworkInUse', 'There are one or more ports still in use on the network.')),
    'doing: NetworkInUse: There are one or more ports still in use on the network.',
    ['ERR_INFRA_DEPENDENCIES'],
    'busy',
  ],
  [
    'full pools',
    answer(409, neutron('IpAddressGenerationFailure', 'No more IP addresses available on network x.')),
    'doing: IpAddressGenerationFailure: No more IP addresses available on network x.',
    ['ERR_INFRA_RESOURCES_DEPLETED'],
    'other',
  ],
  [
    'an overlap',
    answer(400, neutron('InvalidInput', 'Requested subnet overlaps with another subnet')),
    'doing: InvalidInput: Requested subnet overlaps with another subnet',
    ['ERR_CONFIGURATION_PROBLEM'],
    'other',
  ],
  [
    'an error of Octavia',
    answer(409, { faultcode: 'Client', faultstring: 'Load Balancer x is immutable', debuginfo: null }),
    'doing: HTTP 409: Load Balancer x is immutable',
    ['ERR_INFRA_DEPENDENCIES'],
    'busy',
  ],
  [
    'an error of Designate',
    answer(404, { code: 404, type: 'zone_not_found', message: 'Could not find Zone' }),
    'doing: zone_not_found: Could not find Zone',
    [],
    'gone',
  ],
  [
    'an error of Swift',
    answer(403, '<html><h1>Forbidden</h1></html>', { 'x-trans-id': 'tx1' }),
    'doing: Swift answered with HTTP status 403',
    ['ERR_INFRA_UNAUTHORIZED'],
    'other',
  ],
  [
    'a proxy',
    answer(404, '<html><h1>Not here</h1></html>'),
    'doing: an answer in HTML with HTTP status 404; check proxies and endpoints on the way',
    [],
    'other',
  ],
  [
    'a broken cloud',
    answer(500, neutron('HTTPInternalServerError', 'no')),
    'doing: HTTPInternalServerError: no',
    [],
    'uncertain',
  ],
])('%s', (_, error, message, codes, kind) => {
  expect(error.message).toBe(message)
  expect(codesOf(withCodes(error))).toEqual(codes)
  expect(errorKindOf(error)).toBe(kind)
})

test('a resource that a proxy does not find may exist', () => {
  expect(isNotFound(answer(404, '<html></html>'))).toBe(false)
  expect(isNotFound(answer(404, neutron('NetworkNotFound', 'no')))).toBe(true)
})
