import { X509Certificate } from 'node:crypto'
import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type CheckedSeed, objectsOf, serverNow } from '../checked-seed.ts'
import { listOf } from '../conditions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem, warning } from '../diagnosis.ts'
import { rolloutOf } from '../rollout.ts'

const dayMs = 86_400_000
/** The process renews certificates when a fifth of their lifetime is left: 6 of 30 days. */
const soonMs = 3 * dayMs

const serviceLabel = 'gardener-extension-'

interface ClientConfig {
  readonly configuration: KubernetesObject
  readonly service: string
  readonly bundle: string
}

/** Returns the Services of this installation that API servers call, once per configuration. */
const clientConfigs = (seed: CheckedSeed): readonly ClientConfig[] =>
  [...objectsOf(seed, 'mutatingWebhooks'), ...objectsOf(seed, 'validatingWebhooks')].flatMap(
    configuration => {
      const configs = listOf(configuration.webhooks).map(webhook => recordOf(recordOf(webhook).clientConfig))
      const own = configs.filter(({ service }) => recordOf(service).namespace === seed.namespace)
      const byService = new Map(own.map(config => [stringOf(recordOf(config.service).name), config]))
      return [...byService].map(([service, { caBundle }]) => ({
        configuration,
        service,
        bundle: Buffer.from(stringOf(caBundle), 'base64').toString(),
      }))
    },
  )

const certificatesIn = (pem: string): readonly X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    text => new X509Certificate(text),
  )

const endOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo)

const webhookLog = (seed: CheckedSeed) =>
  `see the log: kubectl -n ${seed.namespace} logs -l app=webhook --tail=-1; the leader of the webhooks renews certificates and registrations`

const needs = ['mutatingWebhooks', 'validatingWebhooks', 'coreServices'] as const

export const webhookChecks: readonly DoctorCheck[] = [
  {
    area: 'webhooks',
    about: 'registrations of the webhooks',
    needs,
    run: seed => {
      const registered = new Set(clientConfigs(seed).map(({ service }) => service))
      const services = objectsOf(seed, 'coreServices').map(({ metadata }) => metadata.name)
      const missing = services.filter(name => name.startsWith(serviceLabel) && !registered.has(name))
      return [
        ...(registered.size === 0 ? [] : [ok(`${registered.size} webhook components are registered`)]),
        ...missing.map(name =>
          warning(
            `the Service ${name} has no registration: no API server of this cluster calls it`,
            `${webhookLog(seed)}; webhooks of shoots and of the garden are registered there`,
          ),
        ),
      ]
    },
  },
  {
    area: 'webhooks',
    about: 'Services of the registrations',
    needs,
    run: seed => {
      const services = new Set(objectsOf(seed, 'coreServices').map(({ metadata }) => metadata.name))
      return clientConfigs(seed)
        .filter(({ service }) => !services.has(service))
        .map(({ configuration: { kind, metadata }, service }) =>
          problem(
            `the ${kind} ${metadata.name} refers to the Service ${service}, which does not exist: API servers cannot store the objects it selects`,
            `install the webhooks again, or remove the registration: kubectl delete ${kind.toLowerCase()} ${metadata.name}`,
          ),
        )
    },
  },
  {
    area: 'webhooks',
    about: 'availability of the webhooks',
    needs: ['deployments', 'coreServices'],
    run: seed => {
      const apps = new Set(
        objectsOf(seed, 'coreServices')
          .filter(({ metadata }) => metadata.name.startsWith(serviceLabel))
          .map(({ spec }) => JSON.stringify(recordOf(spec).selector)),
      )
      return objectsOf(seed, 'deployments')
        .filter(({ spec }) => apps.has(JSON.stringify(recordOf(recordOf(spec).selector).matchLabels)))
        .map(deployment => availabilityOf(deployment, seed))
    },
  },
  {
    area: 'webhooks',
    about: "expiry of the webhooks' CAs",
    needs,
    run: seed => clientConfigs(seed).flatMap(config => bundleDiagnoses(config, seed)),
  },
  {
    area: 'webhooks',
    about: "trust in the webhooks' certificates",
    needs: [...needs, 'certificates'],
    run: seed => clientConfigs(seed).flatMap(config => shownDiagnoses(config, seed)),
  },
]

/** A Deployment with 0 desired replicas is Available, too. */
const availabilityOf = (deployment: KubernetesObject, seed: CheckedSeed): Diagnosis => {
  const { name } = deployment.metadata
  const { state, wanted, available, why } = rolloutOf(deployment, seed)
  const described = `kubectl -n ${seed.namespace} describe deployment ${name}; kubectl -n ${seed.namespace} logs deployment/${name}`
  const found = `${available} of ${wanted} replicas of the webhooks' Deployment ${name} are available${why === '' ? '' : `: ${why}`}`
  if (state === 'no replicas')
    return problem(
      `the webhooks' Deployment ${name} has no replicas: API servers time out and refuse writes`,
      `kubectl -n ${seed.namespace} scale deployment ${name} --replicas 2`,
    )
  if (state === 'unavailable') return problem(`${found}; API servers time out and refuse writes`, described)
  if (state === 'failing') return problem(found, described)
  return state === 'in progress' ? warning(found, described) : ok(found)
}

const bundleDiagnoses = (
  { configuration: { kind, metadata }, bundle }: ClientConfig,
  seed: CheckedSeed,
): readonly Diagnosis[] => {
  const authorities = certificatesIn(bundle)
  const what = `the ${kind} ${metadata.name}`
  if (authorities.length === 0)
    return [problem(`${what} has no CA bundle: API servers cannot verify the webhook`, webhookLog(seed))]
  const leftMs = Math.max(...authorities.map(endOf)) - serverNow(seed)
  if (leftMs <= 0) return [problem(`the CA in ${what} has expired`, webhookLog(seed))]
  return leftMs < soonMs
    ? [warning(`the CA in ${what} expires in ${Math.round(leftMs / 3_600_000)} h`, webhookLog(seed))]
    : [ok(`the CA of ${metadata.name} is valid for ${Math.floor(leftMs / dayMs)} days`)]
}

/**
 * Checks the newest certificate of a component, as the secrets manager labels it
 * (docs/contract/secrets-manager.md#certificates-of-webhooks).
 */
const shownDiagnoses = (
  { configuration: { metadata }, service, bundle }: ClientConfig,
  seed: CheckedSeed,
): readonly Diagnosis[] => {
  const name = `${service.slice(serviceLabel.length)}-webhook-server`
  const shown = objectsOf(seed, 'certificates')
    .filter(secret => secret.metadata.labels?.name === name)
    .flatMap(({ data }) =>
      certificatesIn(Buffer.from(stringOf(recordOf(data)['tls.crt']), 'base64').toString()),
    )
    .toSorted((a, b) => Date.parse(b.validFrom) - Date.parse(a.validFrom))[0]
  if (shown === undefined) return [problem(`the Service ${service} has no certificate`, webhookLog(seed))]
  const leftMs = endOf(shown) - serverNow(seed)
  const trusted = certificatesIn(bundle).some(
    authority => shown.checkIssued(authority) && shown.verify(authority.publicKey),
  )
  if (!trusted)
    return [
      problem(
        `${metadata.name} does not trust the certificate of the Service ${service}: every call fails`,
        `${webhookLog(seed)}; the CA bundle was changed, or the Secret of the CA was deleted`,
      ),
    ]
  if (leftMs <= 0) return [problem(`the certificate of the Service ${service} has expired`, webhookLog(seed))]
  return shown.checkHost(`${service}.${seed.namespace}.svc`) === undefined
    ? [
        problem(
          `the certificate of the Service ${service} is not valid for ${service}.${seed.namespace}.svc`,
          `it was issued for another namespace: kubectl -n ${seed.namespace} delete secret -l name=${name}; the leader creates a new one`,
        ),
      ]
    : [ok(`the certificate of ${service} is trusted`)]
}
