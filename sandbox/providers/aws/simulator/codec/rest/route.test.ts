import * as route53 from '@aws-sdk/client-route-53'
import { describe, expect, test } from 'vitest'
import { MalformedRequest } from '../malformed.ts'
import type { WireRequest } from '../message.ts'
import { serviceModel } from '../model.ts'
import { createRouter } from './route.ts'

const dns = createRouter(
  serviceModel({
    name: 'route53',
    protocol: 'restXml',
    version: '2013-04-01',
    schemas: Object.values(route53),
  }),
)

const request = (line: string, headers: Record<string, string> = {}): WireRequest => {
  const [method = '', target = ''] = line.split(' ')
  const [path = '', search = ''] = target.split('?')
  return {
    method,
    path,
    headers,
    query: new Map([...new URLSearchParams(search)].map(([name, value]) => [name, [value]])),
    body: new Uint8Array(),
  }
}

describe('the operation of a REST request', () => {
  test.each([
    ['GET /2013-04-01/hostedzone', 'ListHostedZones', {}],
    ['POST /2013-04-01/hostedzone', 'CreateHostedZone', {}],
    ['GET /2013-04-01/hostedzone/Z1', 'GetHostedZone', { Id: 'Z1' }],
    ['POST /2013-04-01/hostedzone/Z1/rrset/', 'ChangeResourceRecordSets', { HostedZoneId: 'Z1' }],
    [
      'GET /2013-04-01/hostedzone/%2Fhostedzone%2FZ1/rrset',
      'ListResourceRecordSets',
      { HostedZoneId: '/hostedzone/Z1' },
    ],
    ['GET /2013-04-01/hostedzonesbyname?dnsname=a', 'ListHostedZonesByName', {}],
    [
      'GET /2013-04-01/tags/hostedzone/Z1',
      'ListTagsForResource',
      { ResourceType: 'hostedzone', ResourceId: 'Z1' },
    ],
  ])('%s is %s', (line, operation, labels) => {
    const route = dns(request(line))
    expect(route.operation.name).toBe(operation)
    expect(route.labels).toEqual(labels)
  })

  test.each(['GET /2013-04-01/nothing', 'PATCH /2013-04-01/hostedzone', 'GET /'])('%s is not valid', line => {
    expect(() => dns(request(line))).toThrow(MalformedRequest)
  })

  test('with a label that is not UTF-8 is malformed', () => {
    expect(() => dns(request('GET /2013-04-01/hostedzone/%ff'))).toThrow(MalformedRequest)
  })
})
