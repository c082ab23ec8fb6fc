import { describe, expect, test } from 'vitest'
import type { WireRequest } from '../codec/message.ts'
import { createRoute53 } from '../route53/service.ts'
import type { Service } from '../service.ts'
import { createSts } from '../sts/service.ts'
import { identify } from './identify.ts'

const services = [createRoute53() as Service<object>, createSts() as Service<object>]

const request = (parts: Partial<WireRequest>): WireRequest => ({
  method: 'POST',
  path: '/',
  query: new Map(),
  headers: {},
  body: new Uint8Array(),
  ...parts,
})

const signed = (service: string, region = 'eu-west-1') =>
  `AWS4-HMAC-SHA256 Credential=AKIA/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=00`

describe('the service of a request', () => {
  test.each<[title: string, parts: Partial<WireRequest>, name: string | undefined]>([
    ['is named by its credential scope', { headers: { authorization: signed('route53') } }, 'route53'],
    ['is named by AWS’s host', { headers: { host: 'sts.eu-west-1.amazonaws.com' } }, 'sts'],
    ['is named by a FIPS host', { headers: { host: 'sts-fips.us-east-1.amazonaws.com' } }, 'sts'],
    ['is named by a dual-stack host', { headers: { host: 'sts.dualstack.eu-west-1.amazonaws.com' } }, 'sts'],
    ['is named by a GovCloud host', { headers: { host: 'route53.us-gov.amazonaws.com' } }, 'route53'],
    ['is named by a host in China', { headers: { host: 'route53.amazonaws.com.cn' } }, 'route53'],
    ['is named by AWS’s host with a port', { headers: { host: 'route53.amazonaws.com:443' } }, 'route53'],
    [
      'is known by the version of its form',
      {
        headers: { host: '127.0.0.1:1234', 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from('Action=AssumeRoleWithWebIdentity&Version=2011-06-15'),
      },
      'sts',
    ],
    ['is known by the version in its path', { path: '/2013-04-01/hostedzone' }, 'route53'],
    ['is not known', { headers: { authorization: signed('dynamodb') } }, undefined],
    ['is not known without anything', {}, undefined],
  ])('%s', (_, parts, name) => {
    expect(identify(services, request(parts)).service?.model.name).toBe(name)
  })

  test('the service is returned with the region of the signature', () => {
    expect(
      identify(services, request({ headers: { authorization: signed('sts', 'ap-south-1') } })).region,
    ).toBe('ap-south-1')
  })

  test('a host of another service is detected', () => {
    const headers = { authorization: signed('route53'), host: 'sts.amazonaws.com' }
    expect(identify(services, request({ headers })).wrongHost).toBe(true)
  })
})
