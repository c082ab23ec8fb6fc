import { useMemo } from 'preact/hooks'
import { indexAt } from '../../model/at-moment.ts'
import type { VersionOfObject } from '../../model/history.ts'
import { objectLines } from '../../view/object-lines.ts'
import { objectAt } from '../../view/objects-at.ts'
import { Copy } from './copy.tsx'

/** The object at the moment, as YAML. Recordings have no values of Secrets. */
export const ManifestTab = ({
  versions,
  now,
}: {
  readonly versions: readonly VersionOfObject[]
  readonly now: number
}) => {
  // A live moment moves each second, and the object rarely changes.
  const version = versions[indexAt(versions, now)]
  const text = useMemo(
    () => (version === undefined ? '' : objectLines(objectAt(versions, version.at)).join('\n')),
    [version],
  )
  if (text === '') return <p class="empty">The object does not exist at this moment.</p>
  return (
    <>
      <Copy text={text} label="Copy YAML" />
      <pre class="manifest">{text}</pre>
    </>
  )
}
