# bash completion for clump
_clump()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= command=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W 'detect ec dbscan erccl ground play frames eval nn icp gen info convert devices help --help --version' -- "$cur")
        return
    fi
    case $command in
    gen)
        words='factors'
        if ((COMP_CWORD == 2)); then
            mapfile -t COMPREPLY < <(compgen -W "$words --help" -- "$cur")
            return
        fi
        command+=_${COMP_WORDS[2]} ;;
    esac
    case $command:$prev in
    detect:--by) mapfile -t COMPREPLY < <(compgen -W 'ec dbscan erccl' -- "$cur"); return ;;
    detect:--distance | detect:-d) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--eps) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--min-points) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--eps-per-metre) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--thin) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--min-size) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--max-size) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--order) mapfile -t COMPREPLY < <(compgen -W 'index size' -- "$cur"); return ;;
    detect:--cell) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--extent) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--reach) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--alpha) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--tau) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--beta) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--ground) mapfile -t COMPREPLY < <(compgen -W 'peak grid none' -- "$cur"); return ;;
    detect:--sigma) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--slope) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--sensor-height) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--up) mapfile -t COMPREPLY < <(compgen -W 'z y' -- "$cur"); return ;;
    detect:--crop) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--min-range) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--max-range) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--sensor) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--device) mapfile -t COMPREPLY < <(compgen -W 'auto cpu cuda' -- "$cur"); return ;;
    detect:--threads) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--format) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy ply las laz nuscenes raw' -- "$cur"); return ;;
    detect:--columns) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--output | detect:-o) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    detect:--keep) mapfile -t COMPREPLY < <(compgen -W 'objects ground noise' -- "$cur"); return ;;
    detect:--to) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy labels ply las nuscenes semantickitti' -- "$cur"); return ;;
    detect:--clusters) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    detect:--intensity) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--top) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--repeat) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--warmup) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    detect:--memory) mapfile -t COMPREPLY < <(compgen -W 'pageable pinned device' -- "$cur"); return ;;
    ec:--distance | ec:-d) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--eps-per-metre) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--thin) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--min-size) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--max-size) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--order) mapfile -t COMPREPLY < <(compgen -W 'index size' -- "$cur"); return ;;
    ec:--crop) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--min-range) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--max-range) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--sensor) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--ground) mapfile -t COMPREPLY < <(compgen -W 'peak grid' -- "$cur"); return ;;
    ec:--sigma) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--slope) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--sensor-height) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--up) mapfile -t COMPREPLY < <(compgen -W 'z y' -- "$cur"); return ;;
    ec:--method) mapfile -t COMPREPLY < <(compgen -W 'fast bfs vertex-es vertex-rs edge-es edge-rs matrix-es matrix-rs' -- "$cur"); return ;;
    ec:--device) mapfile -t COMPREPLY < <(compgen -W 'auto cpu cuda' -- "$cur"); return ;;
    ec:--threads) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--format) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy ply las laz nuscenes raw' -- "$cur"); return ;;
    ec:--columns) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--output | ec:-o) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    ec:--keep) mapfile -t COMPREPLY < <(compgen -W 'objects ground noise' -- "$cur"); return ;;
    ec:--to) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy labels ply las nuscenes semantickitti' -- "$cur"); return ;;
    ec:--clusters) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    ec:--intensity) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--top) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--repeat) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--warmup) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ec:--memory) mapfile -t COMPREPLY < <(compgen -W 'pageable pinned device' -- "$cur"); return ;;
    dbscan:--eps) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--min-points) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--eps-per-metre) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--thin) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--min-size) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--max-size) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--order) mapfile -t COMPREPLY < <(compgen -W 'index size' -- "$cur"); return ;;
    dbscan:--crop) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--min-range) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--max-range) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--sensor) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--ground) mapfile -t COMPREPLY < <(compgen -W 'peak grid' -- "$cur"); return ;;
    dbscan:--sigma) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--slope) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--sensor-height) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--up) mapfile -t COMPREPLY < <(compgen -W 'z y' -- "$cur"); return ;;
    dbscan:--method) mapfile -t COMPREPLY < <(compgen -W 'fast sequential disjoint-set dclust' -- "$cur"); return ;;
    dbscan:--device) mapfile -t COMPREPLY < <(compgen -W 'auto cpu cuda' -- "$cur"); return ;;
    dbscan:--threads) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--format) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy ply las laz nuscenes raw' -- "$cur"); return ;;
    dbscan:--columns) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--output | dbscan:-o) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    dbscan:--keep) mapfile -t COMPREPLY < <(compgen -W 'objects ground noise' -- "$cur"); return ;;
    dbscan:--to) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy labels ply las nuscenes semantickitti' -- "$cur"); return ;;
    dbscan:--clusters) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    dbscan:--intensity) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--top) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--repeat) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--warmup) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    dbscan:--memory) mapfile -t COMPREPLY < <(compgen -W 'pageable pinned device' -- "$cur"); return ;;
    erccl:--cell) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--extent) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--reach) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--alpha) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--tau) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--beta) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--min-size) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--max-size) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--order) mapfile -t COMPREPLY < <(compgen -W 'index size' -- "$cur"); return ;;
    erccl:--ground) mapfile -t COMPREPLY < <(compgen -W 'peak grid none' -- "$cur"); return ;;
    erccl:--sigma) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--slope) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--sensor-height) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--up) mapfile -t COMPREPLY < <(compgen -W 'z y' -- "$cur"); return ;;
    erccl:--crop) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--min-range) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--max-range) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--sensor) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--method) mapfile -t COMPREPLY < <(compgen -W 'fast serial racing independent ccl hash' -- "$cur"); return ;;
    erccl:--device) mapfile -t COMPREPLY < <(compgen -W 'auto cpu cuda' -- "$cur"); return ;;
    erccl:--threads) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--format) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy ply las laz nuscenes raw' -- "$cur"); return ;;
    erccl:--columns) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--output | erccl:-o) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    erccl:--keep) mapfile -t COMPREPLY < <(compgen -W 'objects ground noise' -- "$cur"); return ;;
    erccl:--to) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy labels ply las nuscenes semantickitti' -- "$cur"); return ;;
    erccl:--clusters) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    erccl:--intensity) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--top) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--maps) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    erccl:--repeat) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--warmup) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    erccl:--memory) mapfile -t COMPREPLY < <(compgen -W 'pageable pinned device' -- "$cur"); return ;;
    ground:--ground) mapfile -t COMPREPLY < <(compgen -W 'peak grid' -- "$cur"); return ;;
    ground:--sigma) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--slope) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--sensor-height) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--up) mapfile -t COMPREPLY < <(compgen -W 'z y' -- "$cur"); return ;;
    ground:--extent) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--tile) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--bin) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--window) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--crop) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--min-range) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--max-range) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--sensor) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--device) mapfile -t COMPREPLY < <(compgen -W 'auto cpu cuda' -- "$cur"); return ;;
    ground:--threads) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--format) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy ply las laz nuscenes raw' -- "$cur"); return ;;
    ground:--columns) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--output | ground:-o) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    ground:--keep) mapfile -t COMPREPLY < <(compgen -W 'objects ground noise' -- "$cur"); return ;;
    ground:--to) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy labels ply las nuscenes semantickitti' -- "$cur"); return ;;
    ground:--repeat) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--warmup) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    ground:--memory) mapfile -t COMPREPLY < <(compgen -W 'pageable pinned device' -- "$cur"); return ;;
    play:--topic) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    play:--metadata) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    play:--calibration) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    play:--columns) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    play:--from) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    play:--for) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    play:--frames) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    play:--loop) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    play:--rate) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    play:--drop) mapfile -t COMPREPLY < <(compgen -W 'oldest none' -- "$cur"); return ;;
    play:--queue) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    play:--deadline) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    play:--stages) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    play:--gate) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    play:--output | play:-o) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    play:--to) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy labels ply las nuscenes semantickitti' -- "$cur"); return ;;
    play:--chart) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    frames:--topic) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    frames:--metadata) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    frames:--calibration) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    frames:--columns) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    frames:--from) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    frames:--for) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    frames:--frames) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    frames:--every) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    frames:--output | frames:-o) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    frames:--to) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy labels ply las nuscenes semantickitti' -- "$cur"); return ;;
    eval:--cloud) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    eval:--max-range) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    eval:--extent) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    eval:--sensor) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    eval:--min-size) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    eval:--band) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    nn:--k | nn:-k) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    nn:--max-distance) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    nn:--method) mapfile -t COMPREPLY < <(compgen -W 'fast kdtree brute azimuth per-query batch' -- "$cur"); return ;;
    nn:--partitions) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    nn:--window) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    nn:--device) mapfile -t COMPREPLY < <(compgen -W 'auto cpu cuda' -- "$cur"); return ;;
    nn:--threads) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    nn:--format) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy ply las laz nuscenes raw' -- "$cur"); return ;;
    nn:--columns) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    nn:--output | nn:-o) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    nn:--to) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy labels ply las nuscenes semantickitti' -- "$cur"); return ;;
    nn:--repeat) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    nn:--warmup) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    icp:--method) mapfile -t COMPREPLY < <(compgen -W 'point plane' -- "$cur"); return ;;
    icp:--max-distance) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    icp:--keep) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    icp:--iterations) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    icp:--tolerance) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    icp:--normals) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    icp:--initial) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    icp:--device) mapfile -t COMPREPLY < <(compgen -W 'auto cpu cuda' -- "$cur"); return ;;
    icp:--threads) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    icp:--format) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy ply las laz nuscenes raw' -- "$cur"); return ;;
    icp:--columns) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    icp:--output | icp:-o) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    icp:--to) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy labels ply las nuscenes semantickitti' -- "$cur"); return ;;
    icp:--repeat) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    icp:--warmup) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    gen_factors:--output | gen_factors:-o) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    gen_factors:--to) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy labels ply las nuscenes semantickitti' -- "$cur"); return ;;
    gen_factors:--layout) mapfile -t COMPREPLY < <(compgen -W 'joints line blob slabs' -- "$cur"); return ;;
    gen_factors:--points | gen_factors:-n) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    gen_factors:--clusters | gen_factors:-c) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    gen_factors:--degree | gen_factors:-k) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    gen_factors:--index-distance | gen_factors:-D) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    gen_factors:--seed) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    info:--format) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy ply las laz nuscenes raw' -- "$cur"); return ;;
    info:--columns) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    info:--labels) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    info:--metadata) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    info:--calibration) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    convert:--labels) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    convert:--format) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy ply las laz nuscenes raw' -- "$cur"); return ;;
    convert:--columns) mapfile -t COMPREPLY < <(compgen -W '' -- "$cur"); return ;;
    convert:--to) mapfile -t COMPREPLY < <(compgen -W 'pcd kitti text npy labels ply las nuscenes semantickitti' -- "$cur"); return ;;
    esac
    case $command in
    detect) words='--by --distance --eps --min-points --eps-per-metre --2d --thin --min-size --max-size --order --cell --extent --reach --alpha --tau --beta --ground --sigma --slope --sensor-height --up --flip --crop --min-range --max-range --sensor --device --threads --format --columns --partial --output --keep --to --clusters --intensity --axes --hull --top --repeat --warmup --memory --json --quiet --help' ;;
    ec) words='--distance --eps-per-metre --2d --thin --min-size --max-size --order --crop --min-range --max-range --sensor --remove-ground --ground --sigma --slope --sensor-height --up --flip --method --device --threads --format --columns --partial --output --keep --to --clusters --intensity --axes --hull --top --repeat --warmup --memory --json --quiet --help' ;;
    dbscan) words='--eps --min-points --no-border --eps-per-metre --2d --thin --min-size --max-size --order --crop --min-range --max-range --sensor --remove-ground --ground --sigma --slope --sensor-height --up --flip --method --device --threads --format --columns --partial --output --keep --to --clusters --intensity --axes --hull --top --repeat --warmup --memory --json --quiet --core --help' ;;
    erccl) words='--cell --extent --reach --alpha --tau --beta --min-size --max-size --order --ground --sigma --slope --sensor-height --up --flip --crop --min-range --max-range --sensor --method --device --threads --format --columns --partial --output --keep --to --clusters --intensity --axes --hull --top --maps --repeat --warmup --memory --json --quiet --help' ;;
    ground) words='--ground --sigma --slope --sensor-height --up --flip --extent --tile --bin --window --crop --min-range --max-range --sensor --device --threads --format --columns --partial --output --keep --to --repeat --warmup --memory --json --quiet --help' ;;
    play) words='--topic --metadata --calibration --columns --organised --from --for --frames --loop --rate --flat-out --drop --queue --deadline --stages --track --gate --check-pcl --output --to --overwrite --json-lines --chart --json --quiet --help' ;;
    frames) words='--topic --metadata --calibration --columns --organised --from --for --frames --every --output --to --overwrite --json --quiet --help' ;;
    eval) words='--cloud --max-range --extent --sensor --min-size --band --instances --json --quiet --help' ;;
    nn) words='--k --max-distance --method --partitions --window --device --threads --format --columns --partial --output --to --repeat --warmup --json --quiet --help' ;;
    icp) words='--method --max-distance --keep --iterations --tolerance --normals --initial --device --threads --format --columns --partial --output --to --repeat --warmup --json --quiet --help' ;;
    gen_factors) words='--output --to --layout --points --clusters --degree --index-distance --seed --json --quiet --help' ;;
    info) words='--format --columns --partial --labels --metadata --calibration --json --help' ;;
    convert) words='--ascii --binary --compressed --big-endian --labels --format --columns --partial --to --json --quiet --help' ;;
    devices) words='--json --help' ;;
    help) words='detect ec dbscan erccl ground play frames eval nn icp gen info convert devices help' ;;
    esac
    if [[ $cur == -* || $command == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}
complete -o filenames -F _clump clump
