import { describe, expect, test } from 'vitest'
import { endpointOf, hostAddress, locate, partitionOf } from './address.ts'

const request = (host: string, path = '/') => ({
  method: 'GET',
  path,
  query: new Map(),
  headers: { host },
  body: new Uint8Array(),
})

test.each([
  ['backup.s3.eu-west-1.amazonaws.com', 'backup', 'eu-west-1'],
  ['my.dotted.name.s3.us-gov-west-1.amazonaws.com', 'my.dotted.name', 'us-gov-west-1'],
  ['backup.s3.dualstack.eu-west-1.amazonaws.com', 'backup', 'eu-west-1'],
  ['backup.s3-us-west-2.amazonaws.com', 'backup', 'us-west-2'],
  ['backup.s3.cn-north-1.amazonaws.com.cn', 'backup', 'cn-north-1'],
  ['backup.s3.eusc-de-east-1.amazonaws.eu', 'backup', 'eusc-de-east-1'],
  ['backup.s3.mars-north-1.amazonaws.com', 'backup', 'mars-north-1'],
  ['s3.eu-west-1.amazonaws.com', undefined, 'eu-west-1'],
  ['s3.amazonaws.com', undefined, 'global'],
  ['backup.s3.amazonaws.com', 'backup', 'global'],
  ['backup.localhost:4566', 'backup', undefined],
  ['backup.s3.localhost', 'backup', undefined],
  ['s3.localhost', undefined, undefined],
  ['localhost:4566', undefined, undefined],
  ['127.0.0.1:4566', undefined, undefined],
])('%s names the bucket %s in the region %s', (host, bucket, region) => {
  expect(hostAddress(request(host))).toEqual({ bucket, region })
})

describe('a bucket', () => {
  test('a bucket in the host leaves the whole path to the key', () => {
    expect(locate(request('backup.s3.eu-west-1.amazonaws.com', '/a/b'))).toEqual({
      path: '/a/b',
      labels: { Bucket: 'backup' },
    })
  })

  test.each([
    ['/', '/', {}],
    ['/backup', '/', { Bucket: 'backup' }],
    ['/backup/', '/', { Bucket: 'backup' }],
    ['/backup//a', '//a', { Bucket: 'backup' }],
    ['/backup/a/b%2Fc', '/a/b%2Fc', { Bucket: 'backup' }],
  ])('the bucket is taken from the path %s', (path, rest, labels) => {
    expect(locate(request('127.0.0.1', path))).toEqual({ path: rest, labels })
  })
})

test.each([
  ['eu-west-1', 'amazonaws.com', 'aws'],
  ['cn-north-1', 'amazonaws.com.cn', 'aws-cn'],
  ['us-gov-west-1', 'amazonaws.com', 'aws-us-gov'],
  ['eusc-de-east-1', 'amazonaws.eu', 'aws-eusc'],
])('a bucket of %s has the endpoint %s and ARNs with the prefix %s', (region, domain, partition) => {
  expect(endpointOf('b', region)).toBe(`b.s3.${region}.${domain}`)
  expect(partitionOf(region)).toBe(partition)
})
