/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of claims: see report.h.
 */
#include "report/report.h"

/* Writes a cell with a heading of its own, which is shown where the table is too wide for the screen. */
static void write_cell(page *to, const char *heading, const char *text)
{
    page_add(to, "<td data-name=\"");
    page_escaped(to, heading);
    page_add(to, "\">");
    page_escaped(to, text);
    page_add(to, "</td>");
}

static void write_judgement(page *to, const papers_claim *claim, const report_machine *here)
{
    static const char *const chips[3] = {"holds", "fails", "unknown"};
    const papers_judgement judgement = machines_judge(claim, here);
    page_add(to, "<td data-name=\"");
    page_escaped(to, here->title);
    page_add(to, "\"><span class=\"chip %s\">%s</span> ", chips[judgement.verdict],
             machines_verdicts[judgement.verdict]);
    if (*judgement.ours) {
        page_add(to, "<strong>");
        page_escaped(to, judgement.ours);
        page_add(to, "</strong> ");
    }
    page_add(to, "<span class=\"why\">");
    page_escaped(to, judgement.why);
    page_add(to, "</span></td>");
}

static void write_claim(page *to, const papers_claim *claim, const report_input *input)
{
    page_add(to, "<tr>");
    write_cell(to, "Claim", claim->claim);
    write_cell(to, "Place", claim->place);
    write_cell(to, "Paper", *claim->theirs ? claim->theirs : "–");
    for (size_t i = 0; i < input->count; i++) write_judgement(to, claim, &input->machines[i]);
    page_add(to, "</tr>\n");
}

void html_claims(page *to, const report_input *input)
{
    page_add(
        to,
        "<section id=\"claims\">\n<h2>Claims</h2>\n<p class=\"lead\">A verdict is of one machine. The sentence says "
        "what was compared. <em>Cannot be told</em>: the machine lacks what the claim is about, a GPU, a rival or the "
        "rows.</p>\n<p class=\"lead\">In names of methods, <em>es</em> is exhaustive search and <em>rs</em> range "
        "search on a grid; <code>fast</code> is clump's own method. PCL at its best (<code>pcl-best</code>) is "
        "compiled for the machine, with a search tree built once. DI is <code>independent</code>, ER-CCL without "
        "races.</p>\n"
        "<table class=\"claims\">\n<thead><tr><th>Claim</th><th>Place</th><th>Paper</th>");
    for (size_t i = 0; i < input->count; i++) {
        page_add(to, "<th>Ours: ");
        page_escaped(to, input->machines[i].title);
        page_add(to, "</th>");
    }
    page_add(to, "</tr></thead>\n");
    for (const papers_paper *const *paper = input->papers; *paper; paper++) {
        const papers_claim *claim = (*paper)->claims;
        if (!claim || !claim->judge) continue;
        page_add(to, "<tbody>\n<tr class=\"paper\"><th colspan=\"%zu\">", 3 + input->count);
        page_escaped(to, (*paper)->title);
        page_add(to, "</th></tr>\n");
        for (; claim->judge; claim++) write_claim(to, claim, input);
        page_add(to, "</tbody>\n");
    }
    page_add(to, "</table>\n</section>\n");
}
