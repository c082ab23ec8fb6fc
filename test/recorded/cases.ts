/** The cases that this folder holds, and the files of each beside the repository. */
export const ownCases = [
  { name: 'dnsrecord/a', object: 'dnsrecord/a.cr.json' },
  { name: 'dnsrecord/cname-elb-alias', object: 'dnsrecord/cname-elb-alias.cr.json' },
  { name: 'backupbucket/plain', account: 'backupbucket/cloud--aws--plain.aws.json' },
  {
    name: 'infrastructure/n1',
    object: 'infrastructure/n1.cr.json',
    account: 'infrastructure/n1.aws.json',
  },
  {
    name: 'bastion/bastion',
    object: 'bastion/bastion.cr.json',
    account: 'bastion/bastion.aws.json',
  },
] as const satisfies readonly { name: string; object?: string; account?: string }[]
