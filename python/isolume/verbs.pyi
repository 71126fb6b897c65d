# The types of the verbs and their options: written by scripts/stubs.py from --help.
import os
import pathlib
from typing import Any, Callable, Iterable, List, Literal, Optional, Sequence, TypedDict, Union, overload

import numpy as np
from typing_extensions import Unpack

from .results import Energies, Mesh, Picture, PointValues, Result, Table, Volume

Path = Union[str, "os.PathLike[str]"]
Files = Union[Path, Iterable[Path]]
Value = Union[str, float, "os.PathLike[str]", Iterable[Union[str, float, "os.PathLike[str]"]], None]
Flag = Optional[bool]
Points = Union[Path, "np.ndarray[Any, Any]", Sequence[Sequence[float]]]

class CommonOptions(TypedDict, total=False):
    device: Value
    threads: Optional[int]
    memory_limit: Optional[float]
    report: Optional[Path]
    quiet: Flag
    progress: Union[bool, Callable[[float, str], object], None]

class InfoOptions(CommonOptions, total=False):
    json: Flag
    orbitals: Flag
    assembly: Value
    formats: Flag
    no_record: Flag
    frame_index: Value

class DevicesOptions(CommonOptions, total=False):
    json: Flag
    test: Flag
    no_record: Flag
    frame_index: Value

class ConvertOptions(CommonOptions, total=False):
    trust_paths: Flag
    make: Value
    frames: Value
    select: Value
    assembly: Value
    precision: Value
    pbc: Value
    templates: Value
    energies: Value
    wait: Value
    volume: Value
    no_record: Flag
    frame_index: Value

class MergeOptions(CommonOptions, total=False):
    minus: Value
    variance_out: Value
    faded_out: Value
    error_out: Value
    map: Value
    bonds: Value
    correlation: Value
    occupancy: Value
    timeline: Value
    frames_out: Value
    partial: Value
    allow_gaps: Flag
    no_record: Flag
    frame_index: Value

class RenderOptions(CommonOptions, total=False):
    select: Value
    style: Value
    colour: Value
    color: Value
    orbital: Value
    follow: Flag
    enclosed: Value
    localise: Value
    localize: Value
    spin: Value
    surface: Union[Value, bool]
    contacts: Union[Value, bool]
    contacts_with: Value
    colour_by: Value
    color_by: Value
    map: Value
    method: Value
    unit: Value
    templates: Value
    charge_set: Value
    build_missing: Flag
    range: Value
    offset: Value
    extremes: Flag
    probe: Value
    periodic: Flag
    isovalue: Value
    spacing: Value
    slice: Value
    surface_style: Value
    opacity: Value
    assembly: Value
    symmetry_mates: Value
    pbc: Value
    smooth: Value
    background: Value
    label: Value
    label_text: Value
    box: Flag
    tile: Flag
    clip_plane: Value
    clip: Value
    set: Union[Value, bool]
    preset: Value
    trust_paths: Flag
    material: Value
    outline: Value
    surface_outline: Value
    images: Value
    map_copies: Value
    legends: Value
    scale_bar: Union[Value, bool]
    text_size: Value
    cloud: Flag
    field_lines: Union[Value, bool]
    field_lines_from: Value
    bond_paths: Flag
    interatomic_surfaces: Flag
    shadows: Flag
    depth_of_field: Value
    size: Value
    for_: Value
    width_mm: Value
    height_mm: Value
    dpi: Value
    renderer: Value
    samples: Value
    denoise: Flag
    transparent: Flag
    only_legends: Flag
    frames: Value
    frame: Value
    resume: Flag
    force: Flag
    time_limit: Value
    fps: Value
    keys: Flag
    turntable: Flag
    rock: Value
    direction: Value
    seconds: Value
    no_record: Flag
    frame_index: Value

class ReplayOptions(CommonOptions, total=False):
    force: Flag
    trust_paths: Flag
    no_record: Flag
    frame_index: Value

class ComputeOrbitalOptions(CommonOptions, total=False):
    trust_paths: Flag
    localise: Value
    localize: Value
    localise_virtuals: Flag
    localize_virtuals: Flag
    frame: Value
    spacing: Value
    grid: Value
    like: Value
    out: Value
    spin: Value
    frames: Value
    follow: Flag
    from_: Value
    enclosed: Value
    margin: Value
    cutoff: Value
    range: Value
    accuracy: Value
    force: Flag
    points: Value
    no_record: Flag
    frame_index: Value

class ComputeDensityOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    spacing: Value
    grid: Value
    like: Value
    out: Value
    kind: Union[Value, bool]
    unit: Value
    method: Value
    tolerance: Value
    temperature: Value
    cores: Value
    promolecular: Flag
    select: Union[Value, bool]
    between: Value
    signed_density: Value
    scatter: Value
    frames: Value
    pbc: Value
    average: Flag
    align: Value
    error_out: Value
    variance_out: Value
    faded_out: Value
    convergence: Value
    partial: Value
    margin: Value
    orbitals: Value
    force: Flag
    spin: Value
    minus: Value
    minus_orbitals: Value
    no_record: Flag
    frame_index: Value

class ComputeDensityMapOptions(CommonOptions, total=False):
    trust_paths: Flag
    resolution: Value
    convention: Value
    weights: Value
    select: Value
    pbc: Value
    frame: Value
    spacing: Value
    grid: Value
    like: Value
    out: Value
    no_record: Flag
    frame_index: Value

class ComputeCorrelationOptions(CommonOptions, total=False):
    trust_paths: Flag
    resolution: Value
    convention: Value
    weights: Value
    select: Value
    pbc: Value
    map: Value
    by: Value
    part: Value
    window: Value
    mask: Value
    threshold: Value
    distance: Value
    frame: Value
    frames: Value
    out: Value
    no_record: Flag
    frame_index: Value

class ComputeFitMapOptions(CommonOptions, total=False):
    trust_paths: Flag
    resolution: Value
    convention: Value
    weights: Value
    select: Value
    pbc: Value
    frame: Value
    map: Value
    global_: Flag
    angle: Value
    solutions: Value
    out: Value
    table: Value
    no_record: Flag
    frame_index: Value

class ComputeMapOptions(CommonOptions, total=False):
    trust_paths: Flag
    grid: Value
    like: Value
    spacing: Value
    region: Value
    step: Value
    plus: Value
    minus: Value
    factor: Value
    error: Value
    minus_error: Value
    error_out: Value
    faded_out: Value
    scaled: Flag
    local_correlation: Value
    resample: Flag
    window: Value
    resolution: Value
    near: Value
    select: Value
    distance: Value
    dust: Value
    level: Value
    sigma: Flag
    out: Value
    no_record: Flag
    frame_index: Value

class ComputeEnergyOptions(CommonOptions, total=False):
    trust_paths: Flag
    apbs: Value
    frame: Value
    force_field: Value
    charge_set: Value
    build_missing: Flag
    cell: Value
    spacing: Value
    tolerance: Value
    exclusions: Value
    one_four: Value
    samples: Value
    out: Value
    atoms: Value
    no_record: Flag
    frame_index: Value
    method: Value
    dielectric: Value
    cutoff: Value
    accuracy: Value
    lattice_spacing: Value
    degree: Value
    smoothing: Value
    periodic: Value
    open: Flag
    order: Value
    mesh: Value
    mesh_spacing: Value
    alpha: Value
    thresholds: Value
    complexes: Union[Value, bool]
    charges: Value
    ionic_strength: Value
    temperature: Value
    solvent_dielectric: Value
    gb_model: Union[Value, bool]
    screening_factor: Value
    nonlinear: Flag
    solute_dielectric: Value
    ion_radius: Value
    ion_size: Value
    ions: Value
    boundary_surface: Value
    probe_radius: Value
    boundary_width: Value
    dielectric_of: Union[Value, bool]
    membrane: Value
    membrane_centre: Value
    membrane_dielectric: Value
    pore: Value
    focus: Flag
    no_focus: Flag
    binding: Value
    frames: Value
    alanine_scan: Union[Value, bool]
    scan_out: Value
    residues: Value
    surface_tension: Value
    surface_offset: Value
    pressure: Value

class ComputeDynamicsOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    cell: Value
    integrator: Value
    time: Value
    time_step: Value
    short_range_every: Value
    long_range_every: Value
    temperature: Value
    friction: Value
    seed: Value
    velocities: Value
    minimise: Value
    every: Value
    vdw_cutoff: Value
    vdw_switch: Value
    map: Value
    map_scale: Value
    map_threshold: Value
    map_select: Value
    map_restraints: Value
    resolution: Value
    out: Value
    energies: Value
    no_record: Flag
    frame_index: Value
    method: Value
    dielectric: Value
    cutoff: Value
    accuracy: Value
    lattice_spacing: Value
    degree: Value
    smoothing: Value
    periodic: Value
    open: Flag
    order: Value
    mesh: Value
    mesh_spacing: Value
    alpha: Value
    thresholds: Value
    complexes: Union[Value, bool]
    charges: Value

class ComputeCompareOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    spacing: Value
    grid: Value
    like: Value
    out: Value
    first: Value
    second: Value
    fourth: Value
    reference: Value
    resample: Flag
    map_unit: Value
    second_files: Value
    second_frame: Value
    second_select: Value
    repeats: Value
    select: Value
    pbc: Value
    no_record: Flag
    frame_index: Value

class ComputePotentialOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    spacing: Value
    grid: Value
    like: Value
    out: Value
    apbs: Value
    counts: Value
    padding: Value
    field: Flag
    select: Value
    average: Flag
    frames: Value
    align: Value
    error_out: Value
    variance_out: Value
    faded_out: Value
    convergence: Value
    partial: Value
    pbc: Value
    templates: Value
    force_field: Value
    charge_set: Value
    build_missing: Flag
    no_record: Flag
    frame_index: Value
    method: Value
    unit: Value
    tolerance: Value
    form: Value
    switching: Value
    basis: Value
    published: Flag
    radii: Value
    dielectric: Value
    cutoff: Value
    accuracy: Value
    lattice_spacing: Value
    degree: Value
    smoothing: Value
    periodic: Value
    order: Value
    mesh: Value
    mesh_spacing: Value
    alpha: Value
    thresholds: Value
    complexes: Union[Value, bool]
    charges: Value
    ionic_strength: Value
    temperature: Value
    solvent_dielectric: Value
    nonlinear: Flag
    solute_dielectric: Value
    ion_radius: Value
    ion_size: Value
    ions: Value
    boundary_surface: Value
    probe_radius: Value
    boundary_width: Value
    dielectric_of: Union[Value, bool]
    membrane: Value
    membrane_centre: Value
    membrane_dielectric: Value
    pore: Value
    focus: Flag
    no_focus: Flag
    reaction_out: Value
    field_out: Value
    ions_out: Value

class ComputeVolmapOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    out: Value
    kind: Value
    values: Value
    select: Value
    spread: Value
    radius: Value
    reach: Value
    unit: Value
    spacing: Value
    padding: Value
    grid: Value
    like: Value
    around: Value
    axes: Value
    half_width: Value
    frames: Value
    align: Value
    error_out: Value
    variance_out: Value
    faded_out: Value
    convergence: Value
    partial: Value
    peaks: Value
    peak_threshold: Value
    site_radius: Value
    pbc: Value
    no_record: Flag
    frame_index: Value

class ComputeProbeOptions(CommonOptions, total=False):
    trust_paths: Flag
    points: Value
    atoms: Value
    bonds: Value
    residues: Value
    by: Value
    frames: Value
    frame: Value
    align: Value
    out: Value
    mean_out: Value
    total: Flag
    gradient: Flag
    partial: Value
    spacing: Value
    select: Value
    pbc: Value
    no_record: Flag
    frame_index: Value
    method: Value
    unit: Value
    tolerance: Value
    form: Value
    switching: Value
    basis: Value
    published: Flag
    radii: Value
    dielectric: Value
    cutoff: Value
    accuracy: Value
    lattice_spacing: Value
    degree: Value
    smoothing: Value
    periodic: Value
    order: Value
    mesh: Value
    mesh_spacing: Value
    alpha: Value
    thresholds: Value
    complexes: Union[Value, bool]
    charges: Value
    ionic_strength: Value
    temperature: Value
    solvent_dielectric: Value
    nonlinear: Flag
    solute_dielectric: Value
    ion_radius: Value
    ion_size: Value
    ions: Value
    boundary_surface: Value
    probe_radius: Value
    boundary_width: Value
    dielectric_of: Union[Value, bool]
    membrane: Value
    membrane_centre: Value
    membrane_dielectric: Value
    pore: Value
    focus: Flag
    no_focus: Flag

class ComputeSurfaceOptions(CommonOptions, total=False):
    trust_paths: Flag
    kind: Value
    out: Value
    select: Value
    assembly: Value
    pbc: Value
    colour_by: Value
    color_by: Value
    map: Value
    method: Value
    charge_set: Value
    build_missing: Flag
    unit: Value
    offset: Value
    range: Value
    isovalue: Value
    spacing: Value
    radius_scale: Value
    beads: Value
    quality: Value
    probe: Value
    periodic: Flag
    smooth: Value
    orbital: Value
    spin: Value
    volume: Value
    frame: Value
    frames: Value
    fps: Value
    no_record: Flag
    frame_index: Value

class ComputeFitOptions(CommonOptions, total=False):
    trust_paths: Flag
    onto: Value
    onto_frame: Value
    select: Value
    onto_select: Value
    match: Value
    cutoff: Value
    rigid: Flag
    frame: Value
    frames: Value
    pbc: Value
    out: Value
    table: Value
    no_record: Flag
    frame_index: Value

class ComputeSasaOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    probe: Value
    points: Value
    radii: Value
    per_residue: Flag
    select: Value
    assembly: Value
    pbc: Value
    frame: Value
    frames: Value
    partial: Value
    no_record: Flag
    frame_index: Value

class ComputeChargesOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    table: Value
    force_field: Value
    charges: Value
    ph: Value
    protonation: Value
    build_missing: Flag
    neutral_ends: Flag
    radii: Value
    strict: Flag
    compare: Value
    assembly: Value
    frame: Value
    no_record: Flag
    frame_index: Value

class ComputeAtomicChargesOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    kind: Value
    equal: Value
    stages: Value
    restraint: Value
    spacing: Value
    cores: Value
    force: Flag
    out: Value
    no_record: Flag
    frame_index: Value

class ComputeCriticalPointsOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    least_density: Value
    force: Flag
    surfaces: Value
    out: Value
    no_record: Flag
    frame_index: Value

class ComputeSurfacePotentialOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    isovalue: Value
    spacing: Value
    radius: Value
    unit: Value
    cores: Value
    force: Flag
    statistics: Value
    mesh: Value
    out: Value
    no_record: Flag
    frame_index: Value

class ComputeModesOptions(CommonOptions, total=False):
    trust_paths: Flag
    modes: Value
    mode: Value
    amplitude: Value
    steps: Value
    trajectory: Value
    out: Value
    no_record: Flag
    frame_index: Value

class ComputeStatesOptions(CommonOptions, total=False):
    trust_paths: Flag
    amplitudes: Value
    fragment: Value
    nto: Value
    part: Value
    pair: Value
    values: Value
    cube: Value
    spacing: Value
    margin: Value
    force: Flag
    out: Value
    no_record: Flag
    frame_index: Value

class ComputeCavitiesOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    mesh: Value
    probe: Value
    outer: Value
    removal: Value
    minimum: Value
    spacing: Value
    select: Value
    assembly: Value
    pbc: Value
    frame: Value
    no_record: Flag
    frame_index: Value

class ComputeIonizeOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    table: Value
    salt: Value
    concentration: Value
    count: Value
    neutralise: Flag
    neutralize: Flag
    order: Value
    distance_solute: Value
    distance_ions: Value
    spacing: Value
    padding: Value
    replace_water: Flag
    dielectric: Value
    frame: Value
    templates: Value
    force_field: Value
    charge_set: Value
    build_missing: Flag
    no_record: Flag
    frame_index: Value

class ComputeLigandMapOptions(CommonOptions, total=False):
    trust_paths: Flag
    mixing: Value
    cutoff: Value
    temperature: Value
    unit: Value
    spacing: Value
    padding: Value
    around: Value
    grid: Value
    like: Value
    align: Value
    select: Value
    pbc: Value
    probe: Value
    frame: Value
    frames: Value
    partial: Value
    all_frames: Value
    rotations: Value
    charges: Flag
    out: Value
    error_out: Value
    frames_out: Value
    no_record: Flag
    frame_index: Value

class ComputeLjMapOptions(CommonOptions, total=False):
    trust_paths: Flag
    mixing: Value
    cutoff: Value
    temperature: Value
    unit: Value
    spacing: Value
    padding: Value
    around: Value
    grid: Value
    like: Value
    align: Value
    select: Value
    pbc: Value
    probe: Value
    sigma: Value
    epsilon: Value
    buckingham: Value
    frame: Value
    frames: Value
    out: Value
    no_record: Flag
    frame_index: Value

class ComputeRdfOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    frame: Value
    frames: Value
    partial: Value
    atoms_from: Value
    pbc: Value
    select: Value
    to: Value
    max: Value
    bins: Value
    between_molecules: Flag
    norm: Value
    no_record: Flag
    frame_index: Value

class ComputeRmsdOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    frame: Value
    frames: Value
    partial: Value
    atoms_from: Value
    pbc: Value
    select: Value
    fit: Value
    no_fit: Flag
    reference: Value
    match: Value
    reference_frame: Value
    mass: Flag
    no_record: Flag
    frame_index: Value

class ComputeRmsfOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    frame: Value
    frames: Value
    partial: Value
    atoms_from: Value
    pbc: Value
    select: Value
    fit: Value
    no_fit: Flag
    per_atom: Flag
    no_record: Flag
    frame_index: Value

class ComputeGyrationOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    frame: Value
    frames: Value
    partial: Value
    atoms_from: Value
    pbc: Value
    select: Value
    no_mass: Flag
    no_record: Flag
    frame_index: Value

class ComputeContactsOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    frame: Value
    frames: Value
    partial: Value
    atoms_from: Value
    pbc: Value
    select: Value
    to: Value
    cutoff: Value
    apart: Value
    reference_frame: Value
    map: Value
    no_record: Flag
    frame_index: Value

class ComputeDipoleOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    frame: Value
    frames: Value
    partial: Value
    atoms_from: Value
    pbc: Value
    select: Value
    no_record: Flag
    frame_index: Value

class ComputeHbondsOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    frame: Value
    frames: Value
    partial: Value
    atoms_from: Value
    pbc: Value
    select: Value
    to: Value
    distance: Value
    angle: Value
    bonds: Value
    correlation: Value
    least_occupancy: Value
    longest_lag: Value
    gap: Value
    step: Value
    blocks: Value
    no_record: Flag
    frame_index: Value

class ComputeDistanceOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    frame: Value
    frames: Value
    partial: Value
    atoms_from: Value
    pbc: Value
    select: Value
    to: Value
    no_record: Flag
    frame_index: Value

class ComputeLigandsOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    assembly: Value
    frame: Value
    pbc: Value
    no_record: Flag
    frame_index: Value

class ComputeIonsOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    assembly: Value
    frame: Value
    pbc: Value
    no_record: Flag
    frame_index: Value

class ComputeTimelineOptions(CommonOptions, total=False):
    trust_paths: Flag
    of: Value
    by: Value
    frame: Value
    frames: Value
    out: Value
    select: Value
    fit: Value
    window: Value
    to: Value
    cutoff: Value
    apart: Value
    map: Value
    resolution: Value
    convention: Value
    weights: Value
    model: Value
    distance: Value
    probe: Value
    terms: Value
    unit: Value
    pbc: Value
    no_record: Flag
    frame_index: Value

class ComputeRmsdMatrixOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    frames: Value
    select: Value
    no_fit: Flag
    pbc: Value
    out: Value
    no_record: Flag
    frame_index: Value

class ComputeClusterOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    frames: Value
    select: Value
    no_fit: Flag
    pbc: Value
    out: Value
    method: Value
    cutoff: Value
    count: Value
    table: Value
    middles: Value
    no_record: Flag
    frame_index: Value

class ComputePcaOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    frames: Value
    select: Value
    no_fit: Flag
    pbc: Value
    out: Value
    components: Value
    modes: Value
    trajectory: Value
    mode: Value
    amplitude: Value
    steps: Value
    no_record: Flag
    frame_index: Value

class ComputeMeanStructureOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    frame: Value
    frames: Value
    select: Value
    fit: Value
    no_fit: Flag
    pbc: Value
    no_record: Flag
    frame_index: Value

class ComputeMsdOptions(CommonOptions, total=False):
    trust_paths: Flag
    frame: Value
    frames: Value
    select: Value
    pbc: Value
    out: Value
    by_molecule: Flag
    with_drift: Flag
    step: Value
    fit: Value
    blocks: Value
    no_record: Flag
    frame_index: Value

class ComputeInteractionsOptions(CommonOptions, total=False):
    trust_paths: Flag
    select: Value
    with_: Value
    kinds: Value
    out: Value
    occupancy: Value
    timeline: Value
    interface: Flag
    distance: Value
    angle: Value
    salt_bridge: Value
    clash: Value
    assembly: Value
    pbc: Value
    frame: Value
    frames: Value
    partial: Value
    no_record: Flag
    frame_index: Value

class ComputeMorphOptions(CommonOptions, total=False):
    trust_paths: Flag
    to: Value
    out: Value
    steps: Value
    method: Value
    select: Value
    match: Value
    frame: Value
    to_frame: Value
    core: Value
    no_record: Flag
    frame_index: Value

class ComputeRamachandranOptions(CommonOptions, total=False):
    trust_paths: Flag
    out: Value
    select: Value
    assembly: Value
    pbc: Value
    frame: Value
    frames: Value
    partial: Value
    no_record: Flag
    frame_index: Value

def info(files: Files = (), **options: Unpack[InfoOptions]) -> Any: ...
def devices(**options: Unpack[DevicesOptions]) -> Any: ...
def convert(files: Files, out: Path, **options: Unpack[ConvertOptions]) -> pathlib.Path: ...
def merge(
    parts: Files, out: Optional[Path] = None, **options: Unpack[MergeOptions]
) -> Union[Volume, pathlib.Path]: ...
@overload
def render(files: Files, out: None = None, **options: Unpack[RenderOptions]) -> Picture: ...
@overload
def render(files: Files, out: Path, **options: Unpack[RenderOptions]) -> Union[Picture, pathlib.Path]: ...
@overload
def replay(picture: Union[Path, Picture], out: None = None, **options: Unpack[ReplayOptions]) -> Picture: ...
@overload
def replay(
    picture: Union[Path, Picture], out: Path, **options: Unpack[ReplayOptions]
) -> Union[Picture, pathlib.Path]: ...

class _Compute:
    @overload
    def orbital(  # type: ignore[overload-overlap]
        self, files: Files, *, at: Points, slice: None = ..., orbital: Value = ...,
        **options: Unpack[ComputeOrbitalOptions],
    ) -> PointValues: ...
    @overload
    def orbital(  # type: ignore[overload-overlap]
        self, files: Files, *, slice: Value, at: None = ..., orbital: Value = ...,
        **options: Unpack[ComputeOrbitalOptions],
    ) -> Union[Mesh, Result]: ...
    @overload
    def orbital(  # type: ignore[overload-overlap]
        self, files: Files, *, orbital: Union[str, int] = ..., at: None = ..., slice: None = ...,
        **options: Unpack[ComputeOrbitalOptions],
    ) -> Volume: ...
    @overload
    def orbital(  # type: ignore[overload-overlap]
        self, files: Files, *, orbital: Sequence[Union[str, int]], at: None = ..., slice: None = ...,
        **options: Unpack[ComputeOrbitalOptions],
    ) -> List[Volume]: ...
    @overload
    def density(
        self, files: Files, *, at: Points,
        **options: Unpack[ComputeDensityOptions],
    ) -> PointValues: ...
    @overload
    def density(
        self, files: Files, *, at: None = ...,
        **options: Unpack[ComputeDensityOptions],
    ) -> Volume: ...
    def density_map(
        self, files: Files,
        **options: Unpack[ComputeDensityMapOptions],
    ) -> Volume: ...
    def correlation(
        self, files: Files,
        **options: Unpack[ComputeCorrelationOptions],
    ) -> Table: ...
    def fit_map(
        self, files: Files,
        **options: Unpack[ComputeFitMapOptions],
    ) -> Table: ...
    def map(
        self, files: Files,
        **options: Unpack[ComputeMapOptions],
    ) -> Volume: ...
    def energy(
        self, files: Files,
        **options: Unpack[ComputeEnergyOptions],
    ) -> Table: ...
    def dynamics(
        self, files: Files,
        **options: Unpack[ComputeDynamicsOptions],
    ) -> Table: ...
    @overload
    def compare(
        self, files: Files, *, at: Points, third: Value = ...,
        **options: Unpack[ComputeCompareOptions],
    ) -> PointValues: ...
    @overload
    def compare(
        self, files: Files, *, third: Value, at: None = ...,
        **options: Unpack[ComputeCompareOptions],
    ) -> List[Volume]: ...
    @overload
    def compare(
        self, files: Files, *, at: None = ..., third: None = ...,
        **options: Unpack[ComputeCompareOptions],
    ) -> Volume: ...
    @overload
    def potential(
        self, files: Files, *, at: Points, faces: Literal[False, None] = ...,
        **options: Unpack[ComputePotentialOptions],
    ) -> PointValues: ...
    @overload
    def potential(
        self, files: Files, *, faces: Literal[True], at: None = ...,
        **options: Unpack[ComputePotentialOptions],
    ) -> Table: ...
    @overload
    def potential(
        self, files: Files, *, at: None = ..., faces: Literal[False, None] = ...,
        **options: Unpack[ComputePotentialOptions],
    ) -> Volume: ...
    def volmap(
        self, files: Files,
        **options: Unpack[ComputeVolmapOptions],
    ) -> Volume: ...
    def probe(
        self, files: Files,
        **options: Unpack[ComputeProbeOptions],
    ) -> Table: ...
    def surface(
        self, files: Files,
        **options: Unpack[ComputeSurfaceOptions],
    ) -> Union[Mesh, Result]: ...
    def fit(
        self, files: Files,
        **options: Unpack[ComputeFitOptions],
    ) -> Table: ...
    def sasa(
        self, files: Files,
        **options: Unpack[ComputeSasaOptions],
    ) -> Table: ...
    def charges(
        self, files: Files,
        **options: Unpack[ComputeChargesOptions],
    ) -> Table: ...
    @overload
    def atomic_charges(
        self, files: Files, *, at: Points,
        **options: Unpack[ComputeAtomicChargesOptions],
    ) -> PointValues: ...
    @overload
    def atomic_charges(
        self, files: Files, *, at: None = ...,
        **options: Unpack[ComputeAtomicChargesOptions],
    ) -> Table: ...
    def critical_points(
        self, files: Files,
        **options: Unpack[ComputeCriticalPointsOptions],
    ) -> Table: ...
    def surface_potential(
        self, files: Files,
        **options: Unpack[ComputeSurfacePotentialOptions],
    ) -> Table: ...
    def modes(
        self, files: Files,
        **options: Unpack[ComputeModesOptions],
    ) -> Table: ...
    @overload
    def states(
        self, files: Files, *, at: Points,
        **options: Unpack[ComputeStatesOptions],
    ) -> PointValues: ...
    @overload
    def states(
        self, files: Files, *, at: None = ...,
        **options: Unpack[ComputeStatesOptions],
    ) -> Table: ...
    def cavities(
        self, files: Files,
        **options: Unpack[ComputeCavitiesOptions],
    ) -> Table: ...
    def ionize(
        self, files: Files,
        **options: Unpack[ComputeIonizeOptions],
    ) -> Table: ...
    @overload
    def ligand_map(
        self, files: Files, *, at: Points,
        **options: Unpack[ComputeLigandMapOptions],
    ) -> PointValues: ...
    @overload
    def ligand_map(
        self, files: Files, *, at: None = ...,
        **options: Unpack[ComputeLigandMapOptions],
    ) -> Volume: ...
    @overload
    def lj_map(
        self, files: Files, *, at: Points,
        **options: Unpack[ComputeLjMapOptions],
    ) -> PointValues: ...
    @overload
    def lj_map(
        self, files: Files, *, at: None = ...,
        **options: Unpack[ComputeLjMapOptions],
    ) -> Volume: ...
    def rdf(
        self, files: Files,
        **options: Unpack[ComputeRdfOptions],
    ) -> Table: ...
    def rmsd(
        self, files: Files,
        **options: Unpack[ComputeRmsdOptions],
    ) -> Table: ...
    def rmsf(
        self, files: Files,
        **options: Unpack[ComputeRmsfOptions],
    ) -> Table: ...
    def gyration(
        self, files: Files,
        **options: Unpack[ComputeGyrationOptions],
    ) -> Table: ...
    def contacts(
        self, files: Files,
        **options: Unpack[ComputeContactsOptions],
    ) -> Table: ...
    def dipole(
        self, files: Files,
        **options: Unpack[ComputeDipoleOptions],
    ) -> Table: ...
    def hbonds(
        self, files: Files,
        **options: Unpack[ComputeHbondsOptions],
    ) -> Table: ...
    def distance(
        self, files: Files,
        **options: Unpack[ComputeDistanceOptions],
    ) -> Table: ...
    def ligands(
        self, files: Files,
        **options: Unpack[ComputeLigandsOptions],
    ) -> Table: ...
    def ions(
        self, files: Files,
        **options: Unpack[ComputeIonsOptions],
    ) -> Table: ...
    def timeline(
        self, files: Files,
        **options: Unpack[ComputeTimelineOptions],
    ) -> Table: ...
    def rmsd_matrix(
        self, files: Files,
        **options: Unpack[ComputeRmsdMatrixOptions],
    ) -> Table: ...
    def cluster(
        self, files: Files,
        **options: Unpack[ComputeClusterOptions],
    ) -> Table: ...
    def pca(
        self, files: Files,
        **options: Unpack[ComputePcaOptions],
    ) -> Table: ...
    def mean_structure(
        self, files: Files,
        **options: Unpack[ComputeMeanStructureOptions],
    ) -> Table: ...
    def msd(
        self, files: Files,
        **options: Unpack[ComputeMsdOptions],
    ) -> Table: ...
    def interactions(
        self, files: Files,
        **options: Unpack[ComputeInteractionsOptions],
    ) -> Table: ...
    def morph(
        self, files: Files,
        **options: Unpack[ComputeMorphOptions],
    ) -> Table: ...
    def ramachandran(
        self, files: Files,
        **options: Unpack[ComputeRamachandranOptions],
    ) -> Table: ...

compute: _Compute
