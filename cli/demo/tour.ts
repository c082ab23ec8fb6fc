import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import { annotations, apiVersion, labels } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { DNSRecord } from '../../shared/contract/schemas/dns-record.ts'
import type { KubernetesObject, Resource } from '../../shared/kubernetes/port.ts'
import { isRead } from '../narration/aws-call.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import type { Stop } from './stop.ts'
import { recordNames, recordTable } from './zone-contents.ts'

const records = kinds.DNSRecord.resource
const namespace = 'shoot--garden--rose'
const external = { name: 'rose-external', namespace }

const resources: Readonly<Record<string, Resource>> = {
  Namespace: { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
  Secret: { group: '', version: 'v1', plural: 'secrets', namespaced: true },
  Cluster: clusterKind.resource,
  DNSRecord: records,
}

/** What `kubectl apply -f` does for objects that are new. */
const apply = async ({ kubernetes }: Sandbox, file: string): Promise<readonly KubernetesObject[]> => {
  const text = await readFile(new URL(`../../examples/dnsrecord/${file}`, import.meta.url), 'utf8')
  const created: KubernetesObject[] = []
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as KubernetesObject
    const resource = resources[object.kind]
    if (resource === undefined) throw new Error(`${file} has an object of the unknown kind ${object.kind}`)
    created.push(await kubernetes.create(resource, object))
  }
  return created
}

/** What gardenlet writes when it wants a record reconciled. */
const request = () => ({
  annotations: {
    [annotations.operation]: 'reconcile',
    [annotations.timestamp]: new Date().toISOString(),
  },
})

/** Waits until the record is as it should be. */
const until = async (
  { kubernetes, clock }: Sandbox,
  name: string,
  reached: (record: DNSRecord | undefined) => boolean,
  signal: AbortSignal,
): Promise<DNSRecord | undefined> => {
  for (;;) {
    const record = (await kubernetes.get(records, { name, namespace }, { signal })) as DNSRecord | undefined
    if (reached(record)) return record
    await clock.sleep(10, signal)
  }
}

const isReady = (record: DNSRecord | undefined): boolean =>
  record?.status?.lastOperation?.state === 'Succeeded' &&
  record.metadata.annotations?.[annotations.operation] === undefined &&
  record.status.observedGeneration === record.metadata.generation

const expect = (truth: boolean, what: string): void => {
  if (!truth) throw new Error(what)
}

export const tour: readonly Stop[] = [
  {
    title: 'gardenlet prepares a shoot and asks for its DNS records',
    typed: 'kubectl apply -f examples/dnsrecord/shoot.yaml -f examples/dnsrecord/records.yaml',
    run: async (sandbox, signal) => {
      await apply(sandbox, 'shoot.yaml')
      const created = await apply(sandbox, 'records.yaml')
      for (const { metadata } of created) await until(sandbox, metadata.name, isReady, signal)
      const names = await recordNames(sandbox)
      expect(names.includes('A api.rose.example.com.'), 'api.rose.example.com is not in Route 53')
      expect(
        names.includes('AAAA \\052.ingress.rose.example.com.'),
        'the alias of the ingress is not in Route 53',
      )
      return recordTable(sandbox)
    },
  },
  {
    title: 'The address of the API server changes',
    typed: `kubectl -n ${namespace} patch dnsrecord rose-external --type merge -p '{"spec":{"values":["203.0.113.20"]}, …}'`,
    run: async (sandbox, signal) => {
      await sandbox.kubernetes.patch(records, external, {
        metadata: request(),
        spec: { values: ['203.0.113.20'] },
      })
      await until(sandbox, external.name, isReady, signal)
      const table = await recordTable(sandbox)
      expect(table.includes('203.0.113.20'), 'Route 53 does not have the new address')
      return ''
    },
  },
  {
    title: 'The same again: nothing changed, so nothing is written to the cloud',
    typed: `kubectl -n ${namespace} annotate dnsrecord rose-external gardener.cloud/operation=reconcile`,
    run: async (sandbox, signal) => {
      const calls: string[] = []
      let writes = 0
      const stop = sandbox.aws.calls.onCall(call => {
        calls.push(call.action)
        if (!isRead(call)) writes++
      })
      await sandbox.kubernetes.patch(records, external, { metadata: request() })
      await until(sandbox, external.name, isReady, signal)
      stop()
      expect(writes === 0, `${writes} writes for an unchanged record`)
      expect(calls.length === 1, `${calls.length} calls for an unchanged record: ${calls.join(', ')}`)
      return '  1 read, 0 writes.'
    },
  },
  {
    title: 'A record that no hosted zone can hold: the user is told what to change',
    typed: 'kubectl apply -f - (a DNSRecord for api.rose.example.org)',
    run: async (sandbox, signal) => {
      const wrong = { name: 'rose-elsewhere', namespace }
      await sandbox.kubernetes.create(records, {
        apiVersion,
        kind: 'DNSRecord',
        metadata: { ...wrong, ...request(), labels: { [labels.role]: 'controlplane' } },
        spec: {
          type: 'aws-route53',
          secretRef: { name: 'dnsrecord-rose-external', namespace },
          name: 'api.rose.example.org',
          recordType: 'A',
          values: ['203.0.113.10'],
        },
      })
      const failed = await until(
        sandbox,
        wrong.name,
        record => record?.status?.lastError !== undefined,
        signal,
      )
      const error = failed?.status?.lastError
      expect(
        error?.codes?.includes('ERR_CONFIGURATION_PROBLEM') === true,
        `the code is missing: ${error?.codes}`,
      )
      await remove(sandbox, [wrong.name], signal)
      return ''
    },
  },
  {
    title: 'The shoot is deleted, and its records with it',
    typed: `kubectl -n ${namespace} annotate dnsrecords --all confirmation.gardener.cloud/deletion=true; kubectl -n ${namespace} delete dnsrecords --all`,
    run: async (sandbox, signal) => {
      const { items } = await sandbox.kubernetes.list(records, { namespace })
      await remove(
        sandbox,
        items.map(({ metadata }) => metadata.name),
        signal,
      )
      const left = (await recordNames(sandbox)).filter(name => !/^(?:NS|SOA) /.test(name))
      expect(left.length === 0, `left in Route 53: ${left.join(', ')}`)
      return ''
    },
  },
  {
    title: 'Nothing to do: the function scales to zero',
    typed: '(wait)',
    run: async (sandbox, signal) => {
      while (sandbox.isAwake('aws-dnsrecord')) await sandbox.clock.sleep(20, signal)
      return ''
    },
  },
]

/** Deletes records as gardenlet does: confirm, delete, wait until they are gone. */
const remove = async (sandbox: Sandbox, names: readonly string[], signal: AbortSignal): Promise<void> => {
  for (const name of names) {
    await sandbox.kubernetes.patch(
      records,
      { name, namespace },
      {
        metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } },
      },
    )
    await sandbox.kubernetes.delete(records, { name, namespace })
  }
  for (const name of names) await until(sandbox, name, record => record === undefined, signal)
}
