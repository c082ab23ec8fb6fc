/** Returns the namespace of the shoot of an object, by its id in a journal. Empty: the object belongs to no shoot. */
export const shootOf = (id: string): string => {
  const space = id.indexOf(' ')
  const kind = id.slice(0, space)
  const name = id.slice(space + 1)
  const slash = name.indexOf('/')
  if (slash >= 0) return name.slice(0, slash)
  if (kind === 'Cluster') return name
  // A BackupEntry is named after its shoot: `shoot--garden--rose--<uid>`.
  return kind === 'BackupEntry' ? name.replace(/--[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '') : ''
}
