import { isIP, isIPv4, isIPv6 } from 'node:net'
import { type CodedError, configurationProblem } from '../../../shared/contract/errors.ts'
import type { Cluster, SelfHostedShootExposure } from '../../../shared/contract/objects.ts'
import { shown } from '../../../shared/decode/problems.ts'
import type { KubernetesObject, ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import { familiesOf, infraNamespaceOf, type ProviderObject, providerResources } from '../provider/local.ts'

type AddressFamily = ReturnType<typeof familiesOf>[number]

export const serviceKey = (
  { metadata }: SelfHostedShootExposure,
  cluster: Cluster | undefined,
): Required<ObjectKey> => ({ name: `exposure-${metadata.name}`, namespace: infraNamespaceOf(cluster) })

export const sliceKey = (
  { name, namespace }: Required<ObjectKey>,
  family: AddressFamily,
): Required<ObjectKey> => ({
  name: `${name}-${family.toLowerCase()}`,
  namespace,
})

/** A load balancer without a selector, and its endpoints by family. Throws a `CodedError` if endpoints are invalid. */
export const desiredExposure = (
  exposure: SelfHostedShootExposure,
  cluster: Cluster | undefined,
): readonly ProviderObject[] => {
  const key = serviceKey(exposure, cluster)
  const { port } = exposure.spec
  const service: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: key,
    spec: {
      type: 'LoadBalancer',
      ipFamilyPolicy: 'PreferDualStack',
      ports: [{ name: 'https', protocol: 'TCP', port, targetPort: port }],
    },
  }
  const slices = familiesOf(cluster).map(family => endpointSlice(exposure, key, family))
  return [
    { resource: providerResources.Service, object: service },
    ...slices.map(object => ({ resource: providerResources.EndpointSlice, object })),
  ]
}

const endpointSlice = (
  exposure: SelfHostedShootExposure,
  service: Required<ObjectKey>,
  family: AddressFamily,
): KubernetesObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { ...sliceKey(service, family), labels: { 'kubernetes.io/service-name': service.name } },
  addressType: family,
  endpoints: endpointsOf(exposure, family),
  ports: [{ name: 'https', protocol: 'TCP', port: exposure.spec.port }],
})

const endpointsOf = (
  { spec, metadata }: SelfHostedShootExposure,
  family: AddressFamily,
): readonly object[] => {
  const problem = (message: string): CodedError =>
    configurationProblem(`could not build ${family} EndpointSlice: ${message}`)
  const isOfFamily = family === 'IPv4' ? isIPv4 : isIPv6
  const endpoints = spec.endpoints.flatMap(({ nodeName, addresses }) => {
    const internal = addresses.filter(({ type }) => type === 'InternalIP').map(({ address }) => address)
    const wrong = internal.find(address => isIP(address) === 0)
    if (wrong !== undefined)
      throw problem(`could not parse address ${shown(wrong)} for endpoint ${shown(nodeName)}`)
    const own = internal.filter(isOfFamily)
    return own.length === 0 ? [] : [{ addresses: own, conditions: { ready: true } }]
  })
  if (endpoints.length > 0) return endpoints
  throw problem(`no ${family} endpoints found for exposure ${JSON.stringify(metadata.name)}`)
}
