import type { Permission } from '../kubernetes/kubernetes.ts'
import { namespaces, secrets } from './core-resources.ts'

/** Permissions of the BackupEntry flow in the API server, for the definition of a function. */
export const backupEntryPermissions: readonly (Permission & { readonly why: string })[] = [
  {
    resource: namespaces,
    verbs: ['get'],
    why: 'Without the namespace of a shoot, no etcd needs the Secret.',
  },
  {
    resource: secrets,
    verbs: ['create', 'delete'],
    why: "The Secret etcd-backup, which configures the backups of a shoot's etcd.",
  },
]
