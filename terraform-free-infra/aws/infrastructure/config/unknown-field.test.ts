import { describe, expect, test } from 'vitest'
import { decodeConfig } from './config.ts'

describe('an unknown field', () => {
  const config = (networks: object, rest: object = {}) => ({
    apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
    kind: 'InfrastructureConfig',
    networks,
    ...rest,
  })
  const zone = { name: 'eu-west-1a' }

  test.each<[object, string, string]>([
    [config({ vpc: {}, zones: [{ ...zone, worker: '10.0.0.0/16' }] }), 'networks.zones[0].worker', 'workers'],
    [config({ vpc: { gatewayEndpoint: [] }, zones: [] }), 'networks.vpc.gatewayEndpoint', 'gatewayEndpoints'],
    [config({ vpc: {}, zone: [] }), 'networks.zone', 'zones'],
    [config({ vpc: {} }, { elasticFilesystem: {} }), 'elasticFilesystem', 'elasticFileSystem'],
    [config({ vpc: {} }, { dualStack: { enbaled: true } }), 'dualStack.enbaled', 'enabled'],
    [config({ vpc: {} }, { ignoreTags: { key: [] } }), 'ignoreTags.key', 'keys'],
  ])('%j is reported with the most similar known field', (value, path, name) => {
    const decoded = decodeConfig(value)
    expect(decoded.ok ? [] : decoded.problems).toContainEqual({
      path,
      message: `unknown field of an InfrastructureConfig (did you mean ${name}?)`,
    })
  })

  test('without a similar one is reported without a suggestion', () => {
    const decoded = decodeConfig(config({ vpc: {}, zones: [{ ...zone, colour: 'red' }] }))
    expect(decoded.ok ? [] : decoded.problems).toEqual([
      {
        path: 'networks.zones[0].colour',
        message: 'unknown field of an InfrastructureConfig',
      },
    ])
  })
})
