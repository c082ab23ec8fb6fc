import { apiVersion, labels } from '../../../../shared/contract/constants.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { apply, isReady, remove, request, until } from '../../objects.ts'
import { expect, type Stop } from '../../stop.ts'
import type { Aws } from '../simulator/aws.ts'
import { isRead } from '../simulator/aws.ts'
import { recordNames, recordTable } from './record-table.ts'

const records = kinds.DNSRecord.resource
const namespace = 'shoot--garden--rose'
const external = { name: 'rose-external', namespace }

/** The life of the DNS records of a shoot. */
export const recordStops = (aws: Aws): readonly Stop[] => [
  {
    title: 'gardenlet prepares a shoot and requests its DNS records',
    typed: 'kubectl apply -f examples/dnsrecord/shoot.yaml -f examples/dnsrecord/zone-records.yaml',
    run: async (sandbox, signal) => {
      await apply(sandbox, 'dnsrecord/shoot.yaml')
      const created = await apply(sandbox, 'dnsrecord/zone-records.yaml')
      for (const { metadata } of created)
        await until(sandbox, records, { name: metadata.name, namespace }, isReady, signal)
      const names = await recordNames(aws)
      expect(names.includes('A api.rose.example.com.'), 'api.rose.example.com is not in Route 53')
      expect(
        names.includes('AAAA \\052.ingress.rose.example.com.'),
        'the alias of the ingress is not in Route 53',
      )
      return recordTable(aws)
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
      await until(sandbox, records, external, isReady, signal)
      const table = await recordTable(aws)
      expect(table.includes('203.0.113.20'), 'Route 53 does not have the new address')
      return ''
    },
  },
  {
    title: 'The same request again: nothing changed, so nothing is written to the cloud',
    typed: `kubectl -n ${namespace} annotate dnsrecord rose-external gardener.cloud/operation=reconcile`,
    run: async (sandbox, signal) => {
      const calls: string[] = []
      let writes = 0
      const stop = aws.calls.onCall(call => {
        calls.push(call.action)
        if (!isRead(call)) writes++
      })
      await sandbox.kubernetes.patch(records, external, { metadata: request() })
      await until(sandbox, records, external, isReady, signal)
      stop()
      expect(writes === 0, `${writes} writes for an unchanged record`)
      expect(calls.length === 1, `${calls.length} calls for an unchanged record: ${calls.join(', ')}`)
      return '  1 read, 0 writes.'
    },
  },
  {
    title: 'A record without a matching hosted zone: the error says what to change',
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
        records,
        wrong,
        record => record?.status?.lastError !== undefined,
        signal,
      )
      const error = failed?.status?.lastError
      expect(
        error?.codes?.includes('ERR_CONFIGURATION_PROBLEM') === true,
        `the code is missing: ${error?.codes}`,
      )
      await remove(sandbox, records, [wrong], signal)
      return ''
    },
  },
  {
    title: 'The shoot is deleted with its records',
    typed: `kubectl -n ${namespace} annotate dnsrecords --all confirmation.gardener.cloud/deletion=true; kubectl -n ${namespace} delete dnsrecords --all`,
    run: async (sandbox, signal) => {
      const { items } = await sandbox.kubernetes.list(records, { namespace })
      await remove(
        sandbox,
        records,
        items.map(({ metadata: { name } }) => ({ name, namespace })),
        signal,
      )
      const left = (await recordNames(aws)).filter(name => !/^(?:NS|SOA) /.test(name))
      expect(left.length === 0, `left in Route 53: ${left.join(', ')}`)
      return ''
    },
  },
]
