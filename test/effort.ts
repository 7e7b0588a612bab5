/**
 * How much a run tries. Every check runs in each run, on more or fewer inputs:
 *
 * | run                          | engines, layouts and cases by hand | random and generated inputs |
 * | ---------------------------- | ---------------------------------- | --------------------------- |
 * | quick (no variable)          | some                               | fewest                      |
 * | complete (`COMPLETE=1`)      | all                                | few                         |
 * | full (`FULL=1`)              | all                                | many                        |
 *
 * docs/internals/proof.md lists the few checks that a full run makes in more layouts, orders or paths than a complete one.
 */
export const isFull = process.env.FULL === '1'

/** Whether a run includes all engines, layouts and cases by hand. A complete run also requires all optional installations. */
export const isComplete = isFull || process.env.COMPLETE === '1'

/** The random and generated inputs of a full run, or those of every other run. */
export const byEffort = <T>(full: T, few: T): T => (isFull ? full : few)

/** The engines, layouts and cases by hand of a complete run, or those of a quick run. */
export const byCompleteness = <T>(all: T, some: T): T => (isComplete ? all : some)
