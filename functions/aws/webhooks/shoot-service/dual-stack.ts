import * as z from 'zod'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { services } from '../../../../shared/kubernetes/core-resources.ts'
import type { FunctionPermission } from '../../../../shared/runtime/runtime.ts'
import type { Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import { reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'

const serviceSchema = z.looseObject({
  metadata: z.looseObject({ annotations: z.record(z.string(), z.string()).nullish() }),
  spec: z.looseObject({ type: z.string().nullish() }).nullish(),
  status: z
    .looseObject({
      loadBalancer: z
        .looseObject({ ingress: z.array(z.looseObject({ hostname: z.string().nullish() })).nullish() })
        .nullish(),
    })
    .nullish(),
})
type ReviewedService = z.output<typeof serviceSchema>

const dns = { namespace: 'kube-system', name: 'kube-dns' }

/** A permission in the shoot. */
export const servicePermission: FunctionPermission = {
  resource: services,
  verbs: ['get'],
  why: 'Shows if the shoot has IPv6 addresses.',
}

const ignore = 'extensions.gardener.cloud/ignore-load-balancer'
const aws = (name: string) => `service.beta.kubernetes.io/aws-load-balancer-${name}`

/** The annotations for a dual-stack load balancer of the load balancer controller. */
const dualStack = {
  [aws('ip-address-type')]: 'dualstack',
  [aws('scheme')]: 'internet-facing',
  [aws('nlb-target-type')]: 'instance',
  [aws('type')]: 'external',
}

/**
 * Reviews Services of type LoadBalancer in shoots with IPv6. New ones get both families. An existing load balancer is
 * retained until its user removes the mark (docs/contract/webhooks.md#services-of-shoots).
 */
export const reviewService: Reviewer = reviewerOf(serviceSchema, async ({ object, oldObject }, lookup) => {
  if (!isLoadBalancer(object)) return {}
  const found = await lookup.get(services, dns)
  if (found === undefined) throw new CodedError(`services "${dns.name}" not found`, { codes: [] })
  if (!hasIpv6(found.spec)) return {}

  const annotations = object.metadata.annotations ?? {}
  const isMarked = annotations[ignore] === 'true' || annotations[aws('ip-address-type')] === 'dualstack'
  const retainsLoadBalancer =
    oldObject !== undefined &&
    isLoadBalancer(oldObject) &&
    oldObject.metadata.annotations?.[ignore] !== 'true'
  if (!isMarked && retainsLoadBalancer) return { changed: annotated(object, { [ignore]: 'true' }) }
  if (isPrivate(annotations) || annotations[ignore] === 'true') return {}

  const hostname = object.status?.loadBalancer?.ingress?.[0]?.hostname
  return {
    changed: annotated(object, {
      ...(hostname && { 'gardener.cloud/old-load-balancer-name': hostname }),
      ...dualStack,
    }),
  }
})

const isLoadBalancer = ({ spec }: Pick<ReviewedService, 'spec'>): boolean => spec?.type === 'LoadBalancer'

const isPrivate = (annotations: Readonly<Record<string, string>>): boolean =>
  annotations[aws('scheme')] === 'internal' || annotations[aws('internal')] === 'true'

const hasIpv6 = (spec: unknown): boolean => {
  const { ipFamilies }: { readonly ipFamilies?: unknown } = Object(spec)
  return Array.isArray(ipFamilies) && ipFamilies.includes('IPv6')
}

const annotated = <S extends ReviewedService>(service: S, added: Readonly<Record<string, string>>): S => ({
  ...service,
  metadata: { ...service.metadata, annotations: { ...service.metadata.annotations, ...added } },
})
