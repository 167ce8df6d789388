# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# JSON: valid whatever the file is called, and the keys others rely on.
cloud scan.pcd
python=$(command -v python3) || python=

# json WHAT EXPRESSION ARGUMENTS...: the output is one line of JSON for which the expression on d holds. `judge` asks one Python for
# all of them, in this order.
cases=0
json() {
    clump "${@:3}" >"$((++cases)).json"
    printf '%s\n' "$1" "text.count(chr(10)) == 1 and text.endswith(chr(10)) and ($2)" >>cases
}
# json_file WHAT EXPRESSION FILE: the same of JSON in a file, of any number of lines.
json_file() {
    mv "$3" "$((++cases)).json"
    printf '%s\n' "$1" "$2" >>cases
}
judge() {
    if [ -z "$python" ]; then
        sed -n 1~2p cases | while read -r what; do skip "$what" "$do_setup"; done
        return
    fi
    "$python" - 3>&- <<'END'
import json

def refuse(x): raise ValueError(x)

lines = open("cases", encoding="utf-8", errors="surrogateescape").read().split("\n")
for i, (what, expression) in enumerate(zip(lines[0::2], lines[1::2]), 1):
    try:
        text = open(f"{i}.json", encoding="utf-8").read()
        d = json.loads(text, parse_constant=refuse)
        good, why = eval(expression, {"d": d, "text": text}), text
    except Exception as error:
        good, why = False, repr(error)
    print(("ok: " if good else "NOT ok: ") + what + ("" if good else "\n    " + ascii(why)))
END
}

keys='["command","input","parameters","points","finite","clusters","noise","largest","ground","ground_level","masked","thinned","approximate","frame","step","method","device","memory","reason","threads","passes","pieces","labels_hash","time_ms","memory_bytes"]'
json "ec: keys in order" "list(d) == $keys" ec scan.pcd -d 1 --json
json "ec: keys of time_ms" 'list(d["time_ms"]) == ["median","min","p99","runs","stages"] and list(d["time_ms"]["stages"]) == ["upload","ground","build","cluster","label","download"]' ec scan.pcd -d 1 --json
json "ec: keys of memory_bytes" 'list(d["memory_bytes"]) == ["host","device"]' ec scan.pcd -d 1 --json
json "ec: counts" '(d["command"],d["input"],d["points"],d["finite"],d["clusters"],d["noise"],d["largest"],d["ground"],d["masked"]) == ("ec","scan.pcd",7,6,3,1,3,0,0)' ec scan.pcd -d 1 --json
json "ec: masked" '(d["clusters"],d["noise"],d["masked"]) == (2,3,2)' ec scan.pcd -d 1 --json --max-range 10
json "ec: min size" '(d["clusters"],d["noise"]) == (1,4)' ec scan.pcd -d 1 --json --min-size 3
json "ec: method and device" '(d["method"],d["device"],d["threads"]) == ("bfs","cpu",1)' ec scan.pcd -d 1 --json --method bfs --device cpu
json "ec: where the points were" 'd["memory"] == "pageable"' ec scan.pcd -d 1 --json
clump gen factors -n 65536 -c 64 -q -o large.bin
json "ec: why it ran there" 'd["device"] in ("cpu","cuda:0") and len(d["reason"]) > 0 and (d["device"] == "cuda:0" or "CUDA" in d["reason"] or "driver" in d["reason"])' ec large.bin -d 1 --json
json "ec: runs" 'd["time_ms"]["runs"] == 5 and 0 < d["time_ms"]["min"] <= d["time_ms"]["median"] <= d["time_ms"]["p99"]' ec scan.pcd -d 1 --json --repeat 5 --warmup 2
json "ec: quiet does not silence it" 'd["clusters"] == 3' ec scan.pcd -d 1 --json -q
json "ec: rounds" '(d["method"],d["passes"]) == ("vertex-rs",2)' ec scan.pcd -d 1 --json --method vertex-rs
json "ec: in place" 'd["passes"] == 2 and d["parameters"]["in_place"] is True and d["parameters"]["block"] is None' ec scan.pcd -d 1 --method vertex-rs --in-place --json
json "ec: blocks" 'd["passes"] == 0 and d["parameters"]["block"] == 64' ec scan.pcd -d 1 --method matrix-rs --block 64 --json
json "ec: blocks by default" 'd["parameters"]["block"] == 1024' ec scan.pcd -d 1 --method matrix-es --json
json "ec: the stage of the matrix" 'list(d["time_ms"]["stages"]) == ["upload","ground","initial","build","cluster","label","download"]' ec scan.pcd -d 1 --method matrix-rs --json
json "ec: the hash" 'd["labels_hash"] == "'"$(clump ec scan.pcd -d 1 --json --method bfs | sed 's/.*labels_hash":"\([0-9a-f]*\).*/\1/')"'"' ec scan.pcd -d 1 --json
json "ec: an empty cloud" '(d["points"],d["clusters"],d["largest"]) == (0,0,0)' ec --json -d 1 <(printf 'x,y,z\n') --format text

big='["inputs","left_out","rim_points","links","bytes_moved","phases_s","labels_hash_64","ranks","bytes_sent","tasks_skipped","ram_peak","work"]'
json "ec: keys of a survey" "[k for k in list(d) if k not in $keys] == $big and [k for k in $keys if k not in list(d)] == []" ec scan.pcd -d 1 --ram 1G --json
json "ec: phases of a survey" 'list(d["phases_s"]) == ["plan","scatter","tiles","merge","output","exchange"] and all(x >= 0 for x in d["phases_s"].values())' ec scan.pcd -d 1 --ram 1G --json
json "ec: counts of a survey" '(d["inputs"],d["points"],d["left_out"],d["clusters"],d["noise"],d["largest"],d["pieces"],d["ranks"],d["work"],d["reason"]) == (["scan.pcd","scan.pcd"],14,2,3,2,6,1,1,"clump.work","several files")' ec scan.pcd scan.pcd -d 1 --json
json "ec: the hash of a survey" 'd["labels_hash"] == "'"$(clump ec scan.pcd -d 1 --json | sed 's/.*labels_hash":"\([0-9a-f]*\).*/\1/')"'" and len(d["labels_hash_64"]) == 16 and d["parameters"]["ram"] == 2**30' ec scan.pcd -d 1 --ram 1G --json
json "dbscan: a survey" "[k for k in $keys if k not in list(d)] == [] and d['core'] is None and (d['clusters'],d['noise']) == (2,2)" dbscan scan.pcd --eps 1 --min-points 2 --ram 1G --json
clump ec scan.pcd -d 1 --work kept --keep-work -q
json "work: keys" 'list(d) == ["command","folder","job","phase","points","blocks","blocks_done","tiles","tiles_done","bytes","running"] and (d["folder"],d["points"],d["tiles_done"]) == ("kept",7,1)' work kept --json

dbscan=(dbscan scan.pcd --eps 1 --min-points 2 --json)
json "dbscan: keys in order" "list(d) == [x for k in $keys for x in ([k, 'core'] if k == 'clusters' else [k])]" "${dbscan[@]}"
json "dbscan: counts" '(d["command"],d["input"],d["points"],d["finite"],d["clusters"],d["core"],d["noise"],d["largest"],d["ground"],d["masked"]) == ("dbscan","scan.pcd",7,6,2,5,2,3,0,0)' "${dbscan[@]}"
json "dbscan: masked" '(d["clusters"],d["core"],d["noise"],d["masked"]) == (1,3,4,3)' "${dbscan[@]}" --max-range 5
json "dbscan: limits" '(d["clusters"],d["core"],d["noise"]) == (1,5,4)' "${dbscan[@]}" --min-size 3
json "dbscan: method and device" '(d["method"],d["device"],d["memory"],d["threads"]) == ("sequential","cpu","pageable",1)' "${dbscan[@]}" --method sequential
json "dbscan: load" 'list(d)[-2:] == ["load", "merge_load"] and all(len(d[k]) == d["threads"] and all(0 <= x <= 1 for x in d[k]) for k in ("load", "merge_load"))' "${dbscan[@]}" --method disjoint-set --threads 2
json "dbscan: no load of other methods" '"load" not in d and "merge_load" not in d' "${dbscan[@]}" --method dclust --device cpu
json "dbscan: stages" 'list(d["time_ms"]["stages"]) == ["upload","ground","build","cluster","label","download"]' "${dbscan[@]}"
json "dbscan: stages with a merge step" 'list(d["time_ms"]["stages"]) == ["upload","ground","build","cluster","merge","label","download"]' "${dbscan[@]}" --method disjoint-set
json "dbscan: options of dclust do not change the result" '(d["clusters"],d["core"],d["passes"]) == (2,5,4) and not {"chains","chain_threads","seeds"} & d["parameters"].keys()' "${dbscan[@]}" --method dclust --chains 1 --chain-threads 32 --seeds 1
json "dbscan: runs" 'd["time_ms"]["runs"] == 3 and d["core"] == 5' "${dbscan[@]}" --repeat 3
json "dbscan: an empty cloud" '(d["points"],d["clusters"],d["core"],d["largest"]) == (0,0,0,0)' dbscan --json --eps 1 --min-points 1 <(printf 'x,y,z\n') --format text

detect=(detect scan.pcd --min-size 1 --ground none --json)
tree='[k for key in [k for k in '$keys' if k not in ("frame", "step", "pieces")] for k in ([key, "objects", "background", "below_min_score", "fits"] if key == "clusters" else ["neighbours", "ring_source", "rings", "ring_doubt", key] if key == "method" else [key])]'
json "detect: keys in order" "list(d) == $tree" "${detect[@]}"
json "detect: no tree" '{d[k] for k in ("objects","background","below_min_score","fits","neighbours","ring_source","rings","ring_doubt")} == {None} and {d["parameters"][k] for k in ("levels","boxes","people","neighbours","min_score","groups")} == {None}' "${detect[@]}"
json "detect: stages" 'list(d["time_ms"]["stages"]) == ["upload","ground","build","cluster","label","boxes","download"]' "${detect[@]}"
json "detect: counts" '(d["command"],d["points"],d["finite"],d["clusters"],d["noise"],d["largest"],d["ground"],d["masked"],d["thinned"],d["approximate"]) == ("detect",7,6,3,1,3,0,0,0,False)' "${detect[@]}" -d 1
json "detect: thinned" '(d["clusters"],d["thinned"],d["approximate"],d["parameters"]["thin"]) == (3,3,True,1)' "${detect[@]}" -d 2 --thin 1
json "detect: masked" '(d["clusters"],d["noise"],d["masked"]) == (2,3,2)' "${detect[@]}" -d 1 --max-range 10
json "detect: an empty cloud" '(d["points"],d["clusters"],d["largest"]) == (0,0,0)' detect --json <(printf 'x,y,z\n') --format text

objects=(objects scan.pcd --min-size 1 --ground none --json)
json "objects: keys in order" "list(d) == [k for k in $tree if k not in ('thinned', 'approximate')]" "${objects[@]}"
json "objects: stages" 'list(d["time_ms"]["stages"]) == ["upload","ground","build","cluster","label","boxes","download"]' "${objects[@]}"
json "objects: counts" '(d["clusters"],d["objects"],d["background"],d["fits"],d["noise"],d["neighbours"],d["ring_source"],d["rings"]) == (3,3,0,{"car":3,"truck":0,"person":0,"other":0},1,"exact",None,0)' "${objects[@]}" -d 1
json "objects: parameters" "list(d['parameters']) == ['distance','eps_per_metre','levels','boxes','people','neighbours','min_score','groups','min_size','max_size','order','ground','crop','min_range','max_range','sensor','drop_class','classes','class_of','intensity','keep'] and d['parameters']['boxes'] == [{'length':2,'width':1,'least_top':None,'most_top':3,'most_bottom':None,'fits':'other'}]" "${objects[@]}" --box 2,1,3
json "objects: an empty cloud" '(d["points"],d["clusters"],d["objects"],d["background"]) == (0,0,0,0)' objects --json <(printf 'x,y,z\n') --format text

json "info: keys in order" 'list(d) == ["command","input","format","encoding","points","finite","width","height","fields","lower","upper","origin","spacing","suggested_distance","ground","suggested_remove_ground","one_turn","advice","notes"]' info scan.pcd --json
json "info: advice" '(list(d["advice"]), d["advice"]["job"], d["advice"]["method"], d["advice"]["device"]) == (["job","method","device","drop_class","command","text"], "ec", "fast", "cpu")' info scan.pcd --json
json "info: values" '(d["format"],d["encoding"],d["points"],d["finite"],d["width"],d["height"],d["lower"],d["upper"],d["origin"]) == ("pcd","ascii",7,6,7,1,[0,0,0],[20,0.5,2],[0,0,0])' info scan.pcd --json
json "info: fields" 'd["fields"] == [{"name":n,"type":"float32","count":1} for n in ("x","y","z","intensity")]' info scan.pcd --json
json "info: notes" 'd["notes"] == ["1 point is not finite and will be noise"]' info scan.pcd --json
printf '1 2 3\n' >one.xyz
json "info: no spacing" 'd["spacing"] is None and d["suggested_distance"] is None and d["lower"] == [1,2,3] and d["advice"] is None' info one.xyz --json
printf 'x,y,z\n' >empty.csv
json "info: no bounds" 'd["lower"] is None and d["upper"] is None' info empty.csv --json
json "gen lidar" '(d["command"],d["output"],d["sensor"],d["scene"],d["seed"],d["first_frame"],d["frames"]) == ("gen lidar","scans","vlp-16","road",3,4,2) and d["points"] > 20000 and d["instances"] > 5 and d["time_ms"] > 0' gen lidar --sensor vlp-16 --scene road --seed 3 --frame 4 --frames 2 -o scans --json
json "gen" '(d["command"],d["output"],d["layout"],d["points"],d["clusters"],d["degree"],d["index_distance"],d["seed"]) == ("gen factors","toy.pcd","blob",1000,10,8.5,2,3)' gen factors --layout blob -n 1000 -c 10 -k 8.5 --seed 3 -o toy.pcd --json
json "convert" 'd == {"command":"convert","input":"scan.pcd","output":"a.csv","points":7,"lost":""}' convert scan.pcd a.csv --json
json "devices" 'list(d) == ["command","version","devices","no_cuda"] and (d["no_cuda"] is None) == (len(d["devices"]) > 1) and d["devices"][0]["device"] == "cpu" and d["devices"][0]["units"] > 0' devices --json
json "devices: the level of the CPU" 'd["devices"][0]["level"] in ("baseline","v3","v4","native") and all(x["level"] is None for x in d["devices"][1:])' devices --json

# What every command tells, under the same names, and the parameters it used, given or not.
common='{"command","input","parameters","points","finite","method","device","reason","threads","passes","time_ms","memory_bytes"}'
clustering='["eps_per_metre","2d","min_size","max_size","order","thin","remove_ground","crop","min_range","max_range","sensor","drop_class","classes","class_of","frame","step","intensity","keep"]'
json "ec: parameters" "set(d) >= $common and list(d['parameters']) == ['distance','block','in_place'] + $clustering" ec scan.pcd -d 1 --json
json "ec: values not given" 'd["parameters"] == {"distance":1,"block":None,"in_place":False,"eps_per_metre":0,"2d":False,"min_size":1,"max_size":0,"order":"index","thin":0,"remove_ground":None,"crop":[None]*6,"min_range":0,"max_range":None,"sensor":[0,0,0],"drop_class":None,"classes":None,"class_of":None,"frame":None,"step":None,"intensity":None,"keep":None}' ec scan.pcd -d 1 --json
json "ec: values given" '[d["parameters"][k] for k in ("distance","eps_per_metre","2d","min_size","max_size","order","crop","min_range","max_range","sensor","keep")] == [0.3,0.0175,True,2,9,"size",[-1,30,None,None,None,5],0.1,99.5,[1,2.25,-3],"objects,noise"]' ec scan.pcd -d 0.3 --eps-per-metre 0.0175 --2d --min-size 2 --max-size 9 --order size --crop -1,30,-inf,inf,-inf,5 --min-range 0.1 --max-range 99.5 --sensor 1,2.25,-3 -o kept.csv --keep objects,noise --json
json "ground: the level of peak" '-2 < d["ground_level"] < 2' ground scan.pcd --ground peak --json
json "ground: grid has no level" 'd["ground_level"] is None' ground scan.pcd --json
json "ec: the level of the ground that is removed" '-2 < d["ground_level"] < 2' ec scan.pcd -d 1 --remove-ground --ground peak --json
json "ec: no level without a search for the ground" 'd["ground_level"] is None' ec scan.pcd -d 1 --json
json "ec: the ground" 'd["parameters"]["remove_ground"].items() >= {"method":"peak","sigma":0.3,"slope":0.2,"sensor_height":1.5,"window":1,"up":"y","flip":True,"extent":160,"tile":2,"bin":0.1,"step":False}.items()' ec scan.pcd -d 1 --remove-ground --ground peak --sigma 0.3 --sensor-height 1.5 --up y --flip --json
json "ground: the step rule" 'd["parameters"]["ground"]["step"] is True' ground scan.pcd --step --json
json "dbscan: parameters" "set(d) >= $common and list(d['parameters']) == ['eps','min_points','no_border'] + $clustering and (d['parameters']['eps'],d['parameters']['min_points'],d['parameters']['no_border']) == (1,2,True)" "${dbscan[@]}" --no-border
json "erccl: parameters" "set(d) >= $common and list(d['parameters']) == ['cell','extent','extent_columns','reach','alpha','tau','beta','all_heights','min_size','max_size','order','ground','crop','min_range','max_range','sensor','intensity','keep'] and [d['parameters'][k] for k in ('cell','extent','extent_columns','reach','alpha','tau','beta','all_heights')] == [0.05,20,10,3,0.7,0.75,None,True] and d['parameters']['ground']['method'] == 'none'" erccl scan.pcd --extent 20,10 --all-heights --reach 3 --ground none --json
json "erccl: beta" 'd["parameters"]["beta"] == 20 and abs(d["parameters"]["tau"] - 20 * 2.718281828 ** -5) < 1e-6' erccl scan.pcd --beta 20 --json
json "erccl: a square map" 'd["parameters"]["extent_columns"] == 20' erccl scan.pcd --extent 20 --ground none --json
json "ground: parameters" "set(d) >= $common and list(d['parameters']) == ['ground','crop','min_range','max_range','sensor','keep'] and d['parameters']['ground']['tile'] == 4" ground scan.pcd --tile 4 --json
json "nn: parameters" "set(d) >= $common and d['parameters'] == {'k':2,'max_distance':1.5,'partitions':300,'window':0}" nn scan.pcd scan.pcd --k 2 --max-distance 1.5 --json
json "icp: parameters" "set(d) >= $common and d['parameters'] == {'max_distance':None,'keep':0.9,'iterations':7,'tolerance':0.0001,'normals':10,'thin':0,'robust':0,'initial':None}" icp scan.pcd scan.pcd --keep 0.9 --iterations 7 --json
json "eval: parameters" "list(d)[:4] == ['command','input','truth','parameters'] and d['parameters'] == {'max_range':30,'extent':None,'sensor':[0,0,0],'min_size':2,'band':10,'scene':None}" eval kept.csv kept.csv --max-range 30 --min-size 2 --json

for name in $'new\nline.pcd' 'quote".pcd' 'back\slash.pcd' $'umlaut\xc3\xa4.pcd' $'latin\xe4.pcd' $'half\xc3.pcd' $'sur\xed\xa0\x80.pcd' $'long\xc0\xaf.pcd' $'emoji\xf0\x9f\x9a\x97.pcd' $'bell\a.pcd'; do
    what="a file called $(printf %q "$name")"
    if ! cp scan.pcd "$name" 2>/dev/null; then say_skipped "$what" "$do_elsewhere"; name=scan.pcd; fi
    json "$what" 'd["points"] == 7' info "$name" --json
done

clump ec scan.pcd -d 1 -q --clusters c.json --2d
json_file "clusters file" '[c["count"] for c in d] == [2, 3, 1]' c.json
clump detect scan.pcd -d 1 -q --clusters d.json --min-size 1 --ground none --axes --hull --intensity intensity
json_file "clusters file with everything" '[(c["count"], round(c["intensity"], 4), c["height_above_ground"], c["distance"]) for c in d] == [(2, 2.5, None, 10), (3, 3.3333, None, 0), (1, 6, None, 20)] and [len(c["hull"]) for c in d] == [2, 3, 1] and d[1]["hull"] == [[0, 0], [0.5, 0], [0, 0.5]] and d[1]["area"] == 0.125 and d[2]["density"] is None and d[2]["variance"] == [0, 0, 0] and all(len(c["axes"]) == 3 and len(c["covariance"]) == 6 and all(abs(sum(x * x for x in a) - 1) < 1e-6 for a in c["axes"]) for c in d)' d.json
judge
