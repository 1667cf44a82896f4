/** The heading above the job in what a sub-agent is told. The demo model looks for it. */
export const JOB_HEADING = 'Your job'
