import { X509Certificate } from 'node:crypto'
import { recordOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type CheckedSeed, objectsOf, serverNow } from '../checked-seed.ts'
import { listOf, textOf } from '../conditions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem, warning } from '../diagnosis.ts'
import { podReasons, podsOf } from '../pod-reasons.ts'

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
      const byService = new Map(own.map(config => [textOf(recordOf(config.service).name), config]))
      return [...byService].map(([service, { caBundle }]) => ({
        configuration,
        service,
        bundle: Buffer.from(textOf(caBundle), 'base64').toString(),
      }))
    },
  )

const certificatesIn = (pem: string): readonly X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    text => new X509Certificate(text),
  )

const endOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo)

const webhookLog = (seed: CheckedSeed) =>
  `kubectl -n ${seed.namespace} logs -l app=webhook --tail=-1 has why: the leader of the webhooks renews certificates and registrations`

const needs = ['mutatingWebhooks', 'validatingWebhooks', 'coreServices'] as const

export const webhookChecks: readonly DoctorCheck[] = [
  {
    area: 'webhooks',
    about: 'whether each component is registered',
    needs,
    run: seed => {
      const registered = new Set(clientConfigs(seed).map(({ service }) => service))
      const services = objectsOf(seed, 'coreServices').map(({ metadata }) => metadata.name)
      const missing = services.filter(name => name.startsWith(serviceLabel) && !registered.has(name))
      return [
        ...(registered.size === 0 ? [] : [ok(`${registered.size} components of webhooks are registered`)]),
        ...missing.map(name =>
          warning(
            `nobody is registered for the Service ${name}: no API server of this cluster asks it`,
            `${webhookLog(seed)}; those of shoots and of the garden are registered there`,
          ),
        ),
      ]
    },
  },
  {
    area: 'webhooks',
    about: 'whether registrations lead to Services that are there',
    needs,
    run: seed => {
      const services = new Set(objectsOf(seed, 'coreServices').map(({ metadata }) => metadata.name))
      return clientConfigs(seed)
        .filter(({ service }) => !services.has(service))
        .map(({ configuration: { kind, metadata }, service }) =>
          problem(
            `the ${kind} ${metadata.name} sends API servers to the Service ${service}, which is not there: what it is for cannot be stored`,
            `install the webhooks again, or kubectl delete ${kind.toLowerCase()} ${metadata.name}, if they shall be gone`,
          ),
        )
    },
  },
  {
    area: 'webhooks',
    about: 'whether their Deployments are available',
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
    about: 'how long API servers trust their certificates',
    needs,
    run: seed => clientConfigs(seed).flatMap(config => bundleDiagnoses(config, seed)),
  },
  {
    area: 'webhooks',
    about: 'whether API servers trust the certificates that are shown',
    needs: [...needs, 'certificates'],
    run: seed => clientConfigs(seed).flatMap(config => shownDiagnoses(config, seed)),
  },
]

/** A Deployment with 0 desired replicas is Available, too. */
const availabilityOf = (deployment: KubernetesObject, seed: CheckedSeed): Diagnosis => {
  const { name } = deployment.metadata
  const wanted = Number(recordOf(deployment.spec).replicas ?? 1)
  const available = Number(recordOf(deployment.status).availableReplicas ?? 0)
  const described = `kubectl -n ${seed.namespace} describe deployment ${name}; kubectl -n ${seed.namespace} logs deployment/${name}`
  const why = podReasons(podsOf(seed, name))
  const found = `${available} of ${wanted} replicas of the webhooks' Deployment ${name} are available${why === '' ? '' : `: ${why}`}`
  if (wanted === 0)
    return problem(
      `the webhooks' Deployment ${name} has no replicas: API servers wait for it and refuse`,
      `kubectl -n ${seed.namespace} scale deployment ${name} --replicas 2`,
    )
  if (available === 0) return problem(`${found}; API servers wait for it and refuse`, described)
  return available < wanted ? warning(found, described) : ok(found)
}

const bundleDiagnoses = (
  { configuration: { kind, metadata }, bundle }: ClientConfig,
  seed: CheckedSeed,
): readonly Diagnosis[] => {
  const authorities = certificatesIn(bundle)
  const what = `the ${kind} ${metadata.name}`
  if (authorities.length === 0) {
    return [problem(`${what} has no CA bundle: API servers trust nobody there`, webhookLog(seed))]
  }
  const leftMs = Math.max(...authorities.map(endOf)) - serverNow(seed)
  if (leftMs <= 0) return [problem(`the CA that ${what} trusts is over`, webhookLog(seed))]
  return leftMs < soonMs
    ? [warning(`the CA that ${what} trusts is over in ${Math.round(leftMs / 3_600_000)} h`, webhookLog(seed))]
    : [ok(`the CA of ${metadata.name} is good for ${Math.floor(leftMs / dayMs)} days`)]
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
      certificatesIn(Buffer.from(textOf(recordOf(data)['tls.crt']), 'base64').toString()),
    )
    .toSorted((a, b) => Date.parse(b.validFrom) - Date.parse(a.validFrom))[0]
  if (shown === undefined) {
    return [problem(`there is no certificate for the Service ${service}`, webhookLog(seed))]
  }
  const leftMs = endOf(shown) - serverNow(seed)
  const trusted = certificatesIn(bundle).some(
    authority => shown.checkIssued(authority) && shown.verify(authority.publicKey),
  )
  if (!trusted) {
    return [
      problem(
        `${metadata.name} does not trust the certificate of the Service ${service}: every call fails`,
        `${webhookLog(seed)}; somebody may have changed the CA bundle or deleted the Secret of the CA`,
      ),
    ]
  }
  if (leftMs <= 0) return [problem(`the certificate of the Service ${service} is over`, webhookLog(seed))]
  return shown.checkHost(`${service}.${seed.namespace}.svc`) === undefined
    ? [
        problem(
          `the certificate of the Service ${service} is not for ${service}.${seed.namespace}.svc`,
          `it is of another namespace: kubectl -n ${seed.namespace} delete secret -l name=${name}; the leader makes another one`,
        ),
      ]
    : [ok(`the certificate of ${service} is trusted`)]
}
