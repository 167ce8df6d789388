// SPDX-License-Identifier: BSD-3-Clause
//
// icp.hpp: clump in place of pcl::IterativeClosestPoint. Iterations, estimation of the motion and convergence criteria are those
// of PCL, so motions and hasConverged() are too. clump finds the pairs: in one call per iteration, by all threads.
//
// What the user can put in place of PCL's parts stays in place: with rejectors, reciprocal correspondences, another estimation
// or another search method PCL's computeTransformation runs, by default with the tree of clump.
#ifndef CLUMP_PCL_ICP_HPP
#define CLUMP_PCL_ICP_HPP

#include <clump/pcl/kdtree.hpp>

#include <pcl/registration/icp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <typeinfo>
#include <vector>

namespace clump
{

template <typename PointSource, typename PointTarget, typename Scalar = float>
class IterativeClosestPoint : public ::pcl::IterativeClosestPoint<PointSource, PointTarget, Scalar>
{
    using Base = ::pcl::IterativeClosestPoint<PointSource, PointTarget, Scalar>;
    using Criteria = ::pcl::registration::DefaultConvergenceCriteria<Scalar>;
    using Tree = search::KdTree<PointTarget>;

  public:
    using PointCloudSource = typename Base::PointCloudSource;
    using PointCloudTarget = typename Base::PointCloudTarget;
    using Matrix4 = typename Base::Matrix4;
    using Ptr = typename dropin::pointer_to<typename PointCloudSource::Ptr, IterativeClosestPoint>::type;
    using ConstPtr = typename dropin::pointer_to<typename PointCloudSource::Ptr, const IterativeClosestPoint>::type;

    IterativeClosestPoint()
    {
        this->tree_.reset(new Tree);
        this->tree_reciprocal_.reset(new search::KdTree<PointSource>);
    }

    // 0, the default: as many as pay. The motion does not depend on it.
    void setNumberOfThreads(unsigned int threads = 0)
    {
        if (Tree *const tree = dynamic_cast<Tree *>(this->tree_.get())) tree->setNumberOfThreads(threads);
    }

  protected:
    void computeTransformation(PointCloudSource &output, const Matrix4 &guess) override
    {
        const Tree *const tree = dynamic_cast<const Tree *>(this->tree_.get());
        if (!tree || !has_parts_of_pcl() || !this->input_) {
            Base::computeTransformation(output, guess);
            return;
        }
        PointCloudSource moved = *this->input_;
        if (guess != Matrix4::Identity()) this->transformCloud(*this->input_, moved, guess);
        this->nr_iterations_ = 0;
        this->converged_ = false;
        this->final_transformation_ = guess;
        this->transformation_ = Matrix4::Identity();
        set_criteria();
        do {
            this->previous_transformation_ = this->transformation_;
            if (!find_pairs(*tree, moved)) {
                Base::computeTransformation(output, guess); // the tree has another metric
                return;
            }
            if (static_cast<std::ptrdiff_t>(this->correspondences_->size()) <
                static_cast<std::ptrdiff_t>(this->min_number_correspondences_)) {
                PCL_ERROR("[clump::%s::computeTransformation] Not enough correspondences found. Relax your threshold "
                          "parameters.\n",
                          this->getClassName().c_str());
                this->convergence_criteria_->setConvergenceState(Criteria::CONVERGENCE_CRITERIA_NO_CORRESPONDENCES);
                this->converged_ = false;
                break;
            }
            this->transformation_estimation_->estimateRigidTransformation(
                moved, *this->target_, *this->correspondences_, this->transformation_);
            this->transformCloud(moved, moved, this->transformation_);
            this->final_transformation_ = this->transformation_ * this->final_transformation_;
            ++this->nr_iterations_;
            this->converged_ = static_cast<bool>(*this->convergence_criteria_);
        } while (this->convergence_criteria_->getConvergenceState() == Criteria::CONVERGENCE_CRITERIA_NOT_CONVERGED);
        output = *this->input_;
        this->transformCloud(*this->input_, output, this->final_transformation_);
    }

  private:
    template <typename Part> static bool is_exactly(const Part *part, const std::type_info &type)
    {
        return part && typeid(*part) == type;
    }

    bool has_parts_of_pcl() const
    {
        using Estimation = ::pcl::registration::TransformationEstimationSVD<PointSource, PointTarget, Scalar>;
        using Pairs = ::pcl::registration::CorrespondenceEstimation<PointSource, PointTarget, Scalar>;
        return this->correspondence_rejectors_.empty() && !this->use_reciprocal_correspondence_ &&
               is_exactly(this->transformation_estimation_.get(), typeid(Estimation)) &&
               is_exactly(this->correspondence_estimation_.get(), typeid(Pairs)) && !this->update_visualizer_;
    }

    void set_criteria()
    {
        this->convergence_criteria_->setMaximumIterations(this->max_iterations_);
        this->convergence_criteria_->setRelativeMSE(this->euclidean_fitness_epsilon_);
        this->convergence_criteria_->setTranslationThreshold(this->transformation_epsilon_);
        const double turn = this->transformation_rotation_epsilon_;
        this->convergence_criteria_->setRotationThreshold(turn > 0 ? turn : 1.0 - this->transformation_epsilon_);
    }

    // Fills correspondences_, by ascending index of the source. Pairs at exactly the largest distance count.
    bool find_pairs(const Tree &tree, const PointCloudSource &moved)
    {
        const double most = this->corr_dist_threshold_, square = most * most;
        const double wide = most * (1 + 1e-6); // the rule below is in double
        const float reach = wide < static_cast<double>(std::numeric_limits<float>::max())
                                ? std::nextafter(static_cast<float>(wide), std::numeric_limits<float>::infinity())
                                : std::numeric_limits<float>::infinity();
        if (!tree.nearestOfEach(moved, reach, indices_found_, squares_)) return false;
        ::pcl::Correspondences &pairs = *this->correspondences_;
        pairs.clear();
        pairs.reserve(moved.points.size());
        for (std::size_t i = 0; i < indices_found_.size(); i++)
            if (indices_found_[i] >= 0 && static_cast<double>(squares_[i]) <= square)
                pairs.emplace_back(static_cast<dropin::index_type>(i),
                                   static_cast<dropin::index_type>(indices_found_[i]), squares_[i]);
        return true;
    }

    std::vector<std::int32_t> indices_found_;
    std::vector<float> squares_;
};

} // namespace clump

#endif
