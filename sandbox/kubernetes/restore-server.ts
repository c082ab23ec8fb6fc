import type { ApiServer } from './api-server.ts'
import type { EtcdBackup } from './store/store.ts'

const definitions = 'customresourcedefinitions.apiextensions.k8s.io'

/**
 * Returns a new server to the objects of another one. It retains its own definitions, and gets those that it does not
 * have.
 */
export const restoreServer = (server: ApiServer, backup: EtcdBackup): void => {
  const all = new Map([
    ...(backup.objects.get(definitions) ?? []),
    ...(server.backUp().objects.get(definitions) ?? []),
  ])
  server.restore({ ...backup, objects: new Map([[definitions, all], ...withoutDefinitions(backup)]) })
}

const withoutDefinitions = ({ objects }: EtcdBackup) =>
  [...objects].filter(([resource]) => resource !== definitions)
