import type {
  ModifyLoadBalancerAttributesInput,
  ModifyLoadBalancerAttributesOutput,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import { refuse } from '../service.ts'
import { type Elbv2Call, findLoadBalancer } from './find.ts'
import type { LoadBalancer } from './state.ts'

/** The default attributes of every load balancer ("LoadBalancerAttribute", API reference 2015-12-01). */
const common = {
  'deletion_protection.enabled': 'false',
  'load_balancing.cross_zone.enabled': 'false',
  'access_logs.s3.enabled': 'false',
  'access_logs.s3.bucket': '',
  'access_logs.s3.prefix': '',
}

const byType: Readonly<Record<LoadBalancer['type'], Readonly<Record<string, string>>>> = {
  application: {
    ...common,
    'load_balancing.cross_zone.enabled': 'true',
    'idle_timeout.timeout_seconds': '60',
    'client_keep_alive.seconds': '3600',
    'routing.http2.enabled': 'true',
    'routing.http.drop_invalid_header_fields.enabled': 'false',
    'routing.http.preserve_host_header.enabled': 'false',
    'routing.http.xff_header_processing.mode': 'append',
    'waf.fail_open.enabled': 'false',
  },
  network: { ...common, 'dns_record.client_routing_policy': 'any_availability_zone' },
  gateway: {
    'deletion_protection.enabled': 'false',
    'load_balancing.cross_zone.enabled': 'false',
  },
}

const shown = ({ type, attributes }: LoadBalancer) =>
  Object.entries({ ...byType[type], ...attributes }).map(([Key, Value]) => ({ Key, Value }))

export const modifyLoadBalancerAttributes = (
  input: ModifyLoadBalancerAttributesInput,
  call: Elbv2Call,
): ModifyLoadBalancerAttributesOutput => {
  const balancer = findLoadBalancer(call, input.LoadBalancerArn)
  const wanted = (input.Attributes ?? []).map(({ Key = '', Value = '' }) => [Key, Value] as const)
  const unknown = wanted.find(([name]) => !Object.hasOwn(byType[balancer.type], name))
  if (unknown) {
    throw refuse('ValidationError', `Load balancer attribute key '${unknown[0]}' is not recognized`, {
      status: 400,
    })
  }
  balancer.attributes = { ...balancer.attributes, ...Object.fromEntries(wanted) }
  return { Attributes: shown(balancer) }
}
