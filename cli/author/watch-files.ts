import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../../shared/clock/clock.ts'

/** Calls `onChange` whenever a file of a function has changed: its own one, and those that it was last said to import. */
export type WatchFiles = (file: string, onChange: () => void) => WatchedFiles

export interface WatchedFiles {
  /** @param readAt when they began to be read, in ms since the epoch: what has changed since then is told at once */
  watch(files: readonly string[], readAt: number): void
  close(): void
}

/** Editors write a file in several goes; so long after the last one it is read, in ms. */
const settleMs = 60
/** A folder that is gone is opened again so often, until it is there, in ms. */
const reopenMs = 1_000

/** Code that may belong to a function though it has not imported it yet. */
const isCode = (name: string): boolean => /\.[cm]?[jt]s$/.test(name) && !/\.(test|spec)\./.test(name)

/**
 * Watches folders and not files, which editors replace. A file beside the function's own counts if it is code; elsewhere the
 * ones that are imported count.
 */
export const fileWatch =
  (clock: Clock): WatchFiles =>
  (file, onChange) => {
    const own = dirname(file)
    const watchers = new Map<string, FSWatcher | undefined>()
    let imported: ReadonlySet<string> = new Set([file])
    let cancel = (): void => {}
    let cancelReopen = (): void => {}
    const changed = (): void => {
      cancel()
      cancel = clock.after(settleMs, onChange)
    }
    const reopen = (): void => {
      cancelReopen()
      cancelReopen = clock.after(reopenMs, () => {
        for (const [folder, watcher] of watchers) if (watcher === undefined && open(folder)) changed()
        if ([...watchers.values()].includes(undefined)) reopen()
      })
    }
    /** Whether it is there. */
    const open = (folder: string): boolean => {
      const lose = (watcher: FSWatcher) => {
        watcher.close()
        if (watchers.get(folder) !== watcher) return
        watchers.set(folder, undefined)
        // Its files went with it; what says so of each one may be behind what closed the watcher.
        changed()
        reopen()
      }
      try {
        const watcher = watch(folder, (_, name) => {
          if (name === null) return changed()
          const path = join(folder, name)
          if (imported.has(path) || (folder === own && isCode(name))) changed()
          if (!existsSync(folder)) lose(watcher)
        })
        watcher.on('error', () => lose(watcher))
        watchers.set(folder, watcher)
        return true
      } catch {
        watchers.set(folder, undefined)
        return false
      }
    }
    open(own)
    return {
      watch: (files, readAt) => {
        imported = new Set([file, ...files])
        const folders = new Set([...imported].map(path => dirname(path)))
        for (const [folder, watcher] of watchers)
          if (!folders.has(folder)) {
            watcher?.close()
            watchers.delete(folder)
          }
        for (const folder of folders) if (!watchers.has(folder)) open(folder)
        if ([...watchers.values()].includes(undefined)) reopen()
        if ([...imported].some(path => modifiedAt(path) > readAt)) changed()
      },
      close: () => {
        cancel()
        cancelReopen()
        for (const watcher of watchers.values()) watcher?.close()
        watchers.clear()
      },
    }
  }

const modifiedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
